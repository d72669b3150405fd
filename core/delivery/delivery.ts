import type { EventType } from '../event/event-types.ts';

/** The event of a delivery, without its data. */
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
  /** Serialised once, when the event is routed; every attempt signs and sends these bytes. */
  readonly body: string;
  /**
   * `rerouted`: its event was routed before, and may have been delivered. `backoff`: it resumes its
   * backoff after it was pending. `manual`: a resend, even if it was delivered before.
   */
  readonly trigger: QueuedTrigger;
  /** Attempts made before the delivery was put on its queue. */
  readonly priorAttempts: number;
  /** When the first attempt was made, if the delivery resumes a backoff. RFC 3339. */
  readonly backingOffSince?: string | undefined;
  /** The delivery backs off, and was moved to the slow lane meanwhile. */
  readonly backsOff?: boolean | undefined;
  /** When an attempt that the endpoint answered with a fatal outcome last ended. RFC 3339. */
  readonly refusedAt?: string | undefined;
}

export const QUEUED_TRIGGERS = ['event', 'rerouted', 'backoff', 'replay', 'manual'] as const;

type QueuedTrigger = (typeof QUEUED_TRIGGERS)[number];

/** The id of a delivery and of its body: the same on every attempt, resend and replay. */
export const deliveryId = (integration: string, eventId: string): string =>
  `/integrations/${integration}/deliveries/${eventId}`;

export const withAttempts = (delivery: Delivery, attempts: number): Delivery => ({
  ...delivery,
  priorAttempts: delivery.priorAttempts + attempts,
});
