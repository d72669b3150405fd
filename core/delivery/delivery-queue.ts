import * as z from 'zod';
import { EVENT_TYPES } from '../event/event-types.ts';
import { type Delivery, QUEUED_TRIGGERS } from './delivery.ts';

export interface DeliveryQueue {
  /**
   * The queue hands the deliveries out after `delayMs`, at once without it; at most 15 minutes. All
   * deliveries are durable when it resolves. Throws `NotEnqueued` when some are not.
   */
  enqueue(deliveries: readonly Delivery[], options?: { delayMs?: number }): Promise<void>;
  /** Whether the delivery fits in a message of the queue, attributes included. */
  fits(delivery: Delivery): boolean;
}

/** Deliveries that were not enqueued. The other deliveries of the call are durable. */
export class NotEnqueued extends Error {
  override readonly name = 'NotEnqueued';
  /** Why each of them was not enqueued. */
  readonly faults: ReadonlyMap<Delivery, unknown>;

  constructor(faults: ReadonlyMap<Delivery, unknown>, { of }: { of: number }) {
    const reasons = [...new Set([...faults.values()].map(String))].join(', ');
    super(`${faults.size} of ${of} deliveries were not enqueued: ${reasons}`);
    this.faults = faults;
  }
}

export interface DeadLetters {
  /**
   * Keeps the text of a message that can never be processed, with the reason. Durable when it
   * resolves.
   */
  add(text: string, reason: string): Promise<void>;
}

/** A delivery as it came from the deliveries queue. */
export interface QueuedDelivery {
  readonly delivery: Delivery;
  /** The same at every receive of the message. */
  readonly messageId: string;
  /** How often the message was received, this receive included. */
  readonly receiveCount: number;
  readonly firstReceivedAt: Date;
}

/**
 * A delivery as a message of the deliveries queue. The message's body is the delivery's body, byte
 * for byte, so that the body is neither escaped nor serialised a second time. The other members are
 * attributes.
 */
export interface DeliveryMessage {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export const deliveryMessage = (delivery: Delivery): DeliveryMessage => {
  const { body, event, backingOffSince, refusedAt, deferrals } = delivery;
  return {
    body,
    attributes: {
      account: delivery.account,
      integration: delivery.integration,
      eventId: event.id,
      eventType: event.type,
      occurredAt: event.occurredAt,
      trigger: delivery.trigger,
      priorAttempts: String(delivery.priorAttempts),
      ...(backingOffSince !== undefined && { backingOffSince }),
      ...(refusedAt !== undefined && { refusedAt }),
      ...(deferrals !== undefined && { deferrals: String(deferrals) }),
    },
  };
};

/** A message of the deliveries queue that `deliveryMessage` cannot have written. */
export class UnreadableDelivery extends Error {
  override readonly name = 'UnreadableDelivery';
}

const text = z.string().min(1);

const count = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const attributesSchema = z.object({
  account: text,
  integration: text,
  eventId: text,
  eventType: z.enum(EVENT_TYPES),
  occurredAt: z.iso.datetime({ offset: true }),
  trigger: z.enum(QUEUED_TRIGGERS),
  priorAttempts: count,
  deferrals: count.optional(),
  backingOffSince: z.iso.datetime().optional(),
  refusedAt: z.iso.datetime().optional(),
});

/** The delivery in a message. Throws `UnreadableDelivery`, which names the attributes at fault. */
export const parseDeliveryMessage = ({ body, attributes }: DeliveryMessage): Delivery => {
  const parsed = attributesSchema.safeParse(attributes);
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path[0]);
    throw new UnreadableDelivery(`attributes are missing or wrong: ${names.join(', ')}`);
  }
  const { eventId, eventType, occurredAt, ...rest } = parsed.data;
  return { ...rest, event: { id: eventId, type: eventType, occurredAt }, body };
};
