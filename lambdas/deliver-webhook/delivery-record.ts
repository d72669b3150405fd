import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { EVENT_TYPES } from '../../core/events/event-type.ts';

/** A message of the deliveries queue that route-event cannot have written. */
export class UnreadableDelivery extends Error {
  override readonly name = 'UnreadableDelivery';
}

const text = z.object({ stringValue: z.string().min(1) }).transform((value) => value.stringValue);

const attributesSchema = z.object({
  account: text,
  integration: text,
  eventId: text,
  eventType: text.pipe(z.enum(EVENT_TYPES)),
});

/** The delivery a record carries: its body as the message's body, the rest as attributes. */
export const parseDeliveryRecord = (record: SQSRecord): Delivery => {
  const parsed = attributesSchema.safeParse(record.messageAttributes);
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path[0]);
    throw new UnreadableDelivery(`attributes are missing or wrong: ${names.join(', ')}`);
  }
  const { account, integration, eventId, eventType } = parsed.data;
  return { account, integration, event: { id: eventId, type: eventType }, body: record.body };
};

/** Counts from 1; a receive that ended in a crash counts too. */
export const attemptNumberOf = (record: SQSRecord): number =>
  Number(record.attributes.ApproximateReceiveCount);
