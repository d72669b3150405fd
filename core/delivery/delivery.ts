import type { PlatformEvent } from '../events/event.ts';
import type { EventType } from '../events/event-type.ts';
import { stringifyForQueue } from '../events/exact-json.ts';

/** One event for one integration. */
export interface Delivery {
  readonly account: string;
  /** The integration's bare id, without its path. */
  readonly integration: string;
  readonly event: { readonly id: string; readonly type: EventType };
  /** Serialised once, when the event is routed; the bytes that are signed and sent on every attempt. */
  readonly body: string;
}

/** The identification field of a delivery: the same on every attempt, resend and replay. */
export const deliveryId = (integration: string, eventId: string): string =>
  `/integrations/${integration}/deliveries/${eventId}`;

export const createDelivery = (event: PlatformEvent, integration: string): Delivery => ({
  account: event.account,
  integration,
  event: { id: event.id, type: event.type },
  body: stringifyForQueue({
    '@context': '/contexts/WebhookDelivery.jsonld',
    '@type': 'WebhookDelivery',
    id: deliveryId(integration, event.id),
    webHook: `/integrations/${integration}`,
    action: event.type,
    timestamp: event.occurredAt,
    data: event.data,
  }),
});
