import type { PlatformEvent } from '../events/event.ts';
import type { EventType } from '../events/event-type.ts';
import { stringifyForQueue } from '../events/exact-json.ts';

/** Which event a delivery is of. */
export interface EventReference {
  readonly id: string;
  readonly type: EventType;
  /** RFC 3339. */
  readonly occurredAt: string;
}

/** One event for one integration. */
export interface Delivery {
  readonly account: string;
  /** The integration's bare id, without its path. */
  readonly integration: string;
  readonly event: EventReference;
  /** Serialised once, when the event is routed; the bytes that are signed and sent on every attempt. */
  readonly body: string;
  /** What put it on the deliveries queue; `manual`: it was asked for again, whether it arrived or not. */
  readonly trigger: 'event' | 'replay' | 'manual';
  /** Attempts made before it was put there. */
  readonly priorAttempts: number;
}

/** The identification field of a delivery: the same on every attempt, resend and replay. */
export const deliveryId = (integration: string, eventId: string): string =>
  `/integrations/${integration}/deliveries/${eventId}`;

export const createDelivery = (event: PlatformEvent, integration: string): Delivery => ({
  account: event.account,
  integration,
  event: { id: event.id, type: event.type, occurredAt: event.occurredAt },
  body: stringifyForQueue({
    '@context': '/contexts/WebhookDelivery.jsonld',
    '@type': 'WebhookDelivery',
    id: deliveryId(integration, event.id),
    webHook: `/integrations/${integration}`,
    action: event.type,
    timestamp: event.occurredAt,
    data: event.data,
  }),
  trigger: 'event',
  priorAttempts: 0,
});
