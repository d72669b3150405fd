/** The event of a delivery, without its data. */
export interface EventReference {
  readonly id: string;
  /** May be a type of a later version: an older one delivers and lists it too. */
  readonly type: string;
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
   * Why it is queued. `rerouted`: its event was routed before, and may have been delivered.
   * `manual`: a resend, even if it was delivered before.
   */
  readonly trigger: QueuedTrigger;
  /** Attempts made before the delivery was put on its queue. */
  readonly priorAttempts: number;
  /** The window of failed attempts. Absent unless the next one continues it. */
  readonly backoff?: Backoff | undefined;
  /** The trace context of the event's message (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

export interface Backoff {
  /** When its first attempt was made. RFC 3339. */
  readonly since: string;
  /** Attempts made since then. */
  readonly attempts: number;
  /** Whether the delivery is in a queue by a backoff slot; otherwise it is or was pending. */
  readonly hasSlot: boolean;
}

export const QUEUED_TRIGGERS = ['event', 'rerouted', 'replay', 'manual'] as const;

type QueuedTrigger = (typeof QUEUED_TRIGGERS)[number];

export const isReplayed = ({ trigger }: Delivery): boolean => trigger === 'replay';

/** The delivery in another message: an earlier one may have delivered it. */
export const rerouted = (delivery: Delivery): Delivery =>
  delivery.trigger === 'event' ? { ...delivery, trigger: 'rerouted' } : delivery;

/** The id of a delivery and of its body: the same on every attempt, resend and replay. */
export const deliveryId = (integration: string, eventId: string): string =>
  `/integrations/${integration}/deliveries/${eventId}`;

/** The position of a delivery among those of its integration: text that sorts oldest first. */
export const positionOf = ({
  event: { id, occurredAt },
}: {
  event: Pick<EventReference, 'id' | 'occurredAt'>;
}): string => `${new Date(occurredAt).toISOString()}#${id}`;

/** The delivery after another attempt, which ends its backoff unless one is given. */
export const afterAttempt = (delivery: Delivery, backoff?: Backoff): Delivery => ({
  ...delivery,
  priorAttempts: delivery.priorAttempts + 1,
  backoff,
});
