import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { QueuedDelivery } from '../../core/delivery/after-attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { EVENT_TYPES } from '../../core/events/event-type.ts';

/** A message of the deliveries queue that none of our functions can have written. */
export class UnreadableDelivery extends Error {
  override readonly name = 'UnreadableDelivery';
}

const text = z.object({ stringValue: z.string().min(1) }).transform((value) => value.stringValue);

const attributesSchema = z.object({
  account: text,
  integration: text,
  eventId: text,
  eventType: text.pipe(z.enum(EVENT_TYPES)),
  occurredAt: text.pipe(z.iso.datetime({ offset: true })),
  trigger: text.pipe(z.enum(['event', 'replay', 'manual'])),
  priorAttempts: text.pipe(z.string().regex(/^\d{1,9}$/)).transform(Number),
});

/** The delivery a record carries: its body as the message's body, the rest as attributes. */
export const parseDeliveryRecord = (record: SQSRecord): Delivery => {
  const parsed = attributesSchema.safeParse(record.messageAttributes);
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path[0]);
    throw new UnreadableDelivery(`attributes are missing or wrong: ${names.join(', ')}`);
  }
  const { eventId, eventType, occurredAt, ...rest } = parsed.data;
  return { ...rest, event: { id: eventId, type: eventType, occurredAt }, body: record.body };
};

/** A receive that ended in a crash counts too. */
export const queuedDeliveryOf = (record: SQSRecord): QueuedDelivery => ({
  delivery: parseDeliveryRecord(record),
  receiveCount: Number(record.attributes.ApproximateReceiveCount),
  firstReceivedAt: new Date(Number(record.attributes.ApproximateFirstReceiveTimestamp)),
});
