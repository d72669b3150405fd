import * as z from 'zod';
import { type Backoff, type Delivery, QUEUED_TRIGGERS } from './delivery.ts';
import { messageText, parseMessageText, UnreadableMessage } from './message-format.ts';

export interface DeliveryQueue {
  /** All deliveries are durable when it resolves. Throws `NotEnqueued` when some are not. */
  enqueue(deliveries: readonly Delivery[]): Promise<void>;
}

/** Deliveries that were not enqueued. The other deliveries of the call are durable. */
export class NotEnqueued extends Error {
  override readonly name = 'NotEnqueued';
  readonly faults: ReadonlyMap<Delivery, unknown>;

  constructor(faults: ReadonlyMap<Delivery, unknown>, { of }: { of: number }) {
    const reasons = [...new Set([...faults.values()].map(String))].join(', ');
    super(`${faults.size} of ${of} deliveries were not enqueued: ${reasons}`);
    this.faults = faults;
  }
}

/** An attribute of a message, as Lambda hands it to a function; a binary value is base64. */
export interface MessageAttribute {
  readonly dataType: string;
  readonly stringValue?: string | undefined;
  readonly binaryValue?: string | undefined;
}

/** A message that can never be processed as it is. */
export interface DeadLetter {
  readonly text: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
}

export interface DeadLetters {
  /** So that an operator can move it back once it can be read. Durable when it resolves. */
  add(letter: DeadLetter, reason: string): Promise<void>;
}

export interface VisibilityChange {
  readonly receiptHandle: string;
  /** From now until the message becomes visible again. */
  readonly delayMs: number;
}

export interface MessageVisibility {
  /**
   * Resolves to the changes that were not made, and why. Never throws: such a message is received
   * again after its timeout.
   */
  change<Change extends VisibilityChange>(
    changes: readonly Change[],
  ): Promise<readonly (Change & { readonly code: string })[]>;
}

export interface QueuedDelivery {
  readonly delivery: Delivery;
  /** The same at every receive of the message. */
  readonly messageId: string;
  readonly receiveCount: number;
  readonly firstReceivedAt: Date;
}

/** A delivery with the attempts of the earlier receives of its message. */
export interface ReceivedDelivery extends QueuedDelivery {
  /** The backoff with which the message came: for a delivery that is stored without an attempt. */
  readonly backoffToStore: Backoff | undefined;
}

/**
 * The message's body is the delivery's, byte for byte, so that it is serialised once. The rest is
 * JSON in one attribute: SQS allows ten, and a dead letter has its reason as one more.
 */
interface DeliveryMessage {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export const deliveryMessage = ({ body, event, ...delivery }: Delivery): DeliveryMessage => {
  const { id, type, occurredAt } = event;
  const { account, integration, trigger, priorAttempts, ...optional } = delivery;
  const { backoff, traceparent } = optional;
  const head = { account, integration, event: { id, type, occurredAt }, trigger, priorAttempts };
  return {
    body,
    attributes: { delivery: messageText({ ...head, backoff, traceparent }) },
  };
};

const text = z.string().min(1);

const count = z.int().min(0).max(999_999_999);

export const headSchema = z.object({
  account: text,
  integration: text,
  event: z.object({
    id: text,
    type: text,
    occurredAt: z.iso.datetime({ offset: true }),
  }),
  trigger: z.enum(QUEUED_TRIGGERS),
  priorAttempts: count,
  backoff: z.object({ since: z.iso.datetime(), attempts: count, hasSlot: z.boolean() }).optional(),
  traceparent: text.optional(),
});

/** The delivery in a message. Throws `UnreadableMessage` and `LaterFormat`. */
export const parseDeliveryMessage = ({ body, attributes }: DeliveryMessage): Delivery => {
  const { delivery } = attributes;
  if (delivery === undefined) throw new UnreadableMessage('the attribute delivery is missing');
  return { ...parseMessageText(delivery, headSchema), body };
};
