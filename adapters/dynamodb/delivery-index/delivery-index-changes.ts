import * as z from 'zod';
import type { StreamedDelivery } from '../../../core/delivery/search/delivery-index.ts';
import { subjectIn } from '../../../core/delivery/search/subject.ts';
import { changeSchema, positionOf } from '../delivery-log/delivery-log-changes.ts';
import { inflated } from '../table/stored-deliveries.ts';
import { parsedChange } from '../table/stream-records.ts';

const image = z.object({
  account: z.object({ S: z.string() }),
  type: z.object({ S: z.string() }),
  deflated: z.object({ B: z.base64() }),
  expiresAt: z.object({ N: z.coerce.number() }),
});

/**
 * The index keeps a delivery to the end of the day on which the log forgets it. Each attempt puts that
 * off, and the delivery is indexed again when it is another day.
 */
const DAY_S = 86_400;

const endOfDay = (seconds: number): number => (Math.floor(seconds / DAY_S) + 1) * DAY_S;

/**
 * The delivery that a change of table DeliveryLog brings, with its subject: a delivery that is new,
 * or that is kept to another day. Undefined for any other change, also for one that this version
 * cannot read: it must not keep an attempt from being counted. Throws `UnreadableChange` for what is
 * no change of the table.
 */
export const deliveryAddedBy = (change: unknown): StreamedDelivery | undefined => {
  const { dynamodb } = parsedChange(changeSchema, change);
  const { Keys, NewImage, OldImage, SequenceNumber } = dynamodb;
  const { data: added } = image.safeParse(NewImage);
  if (added === undefined) return undefined;
  const { data: before } = image.safeParse(OldImage);
  const expiresAt = endOfDay(added.expiresAt.N);
  if (before && expiresAt <= endOfDay(before.expiresAt.N)) return undefined;
  const body = bodyIn(added.deflated.B);
  const subject = body === undefined ? undefined : subjectIn(body, added.type.S);
  if (subject === undefined) return undefined;
  const [occurredAt = '', id = ''] = Keys.entry.S.split('#');
  return {
    account: added.account.S,
    integration: Keys.partition.S.slice(0, Keys.partition.S.lastIndexOf('#')),
    subject,
    event: { id, occurredAt },
    expiresAt,
    position: positionOf(SequenceNumber),
  };
};

const bodyIn = (deflated: string): string | undefined => {
  try {
    return inflated(Buffer.from(deflated, 'base64'));
  } catch {
    return undefined;
  }
};
