import * as z from 'zod';
import type { StreamedAttempt } from '../../../core/delivery/statistics/count-attempts.ts';
import { parsedChange } from '../table/stream-records.ts';
import { isOfAttempt } from './delivery-log-items.ts';

const text = z.object({ S: z.string() });

const storedAttempt = z.object({
  trigger: text,
  startedAt: z.object({ S: z.iso.datetime() }),
  durationMs: z.object({ N: z.coerce.number().min(0) }),
  outcome: z.object({ S: z.enum(['delivered', 'transient', 'fatal']) }),
  statusCode: z.unknown().optional(),
});

const image = z.object({ firstAttempt: z.object({ M: storedAttempt }).optional() });

/** A change of an item of table DeliveryLog, as a stream has it: attributes are DynamoDB's JSON. */
export const changeSchema = z.object({
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  dynamodb: z.object({
    SequenceNumber: z.string().regex(/^\d{1,40}$/),
    Keys: z.object({ partition: text, entry: text }),
    NewImage: z.unknown().optional(),
    OldImage: z.unknown().optional(),
  }),
});

/**
 * The attempt that a change of table DeliveryLog adds, if any. A delivery's item brings its first
 * attempt, when it is put or later, and other items each one. A repeated put, a deletion and a test
 * add nothing. Throws `UnreadableChange`.
 */
export const attemptAddedBy = (change: unknown): StreamedAttempt | undefined => {
  const { eventName, dynamodb } = parsedChange(changeSchema, change);
  if (eventName === 'REMOVE') return undefined;
  const { Keys, NewImage, OldImage, SequenceNumber } = dynamodb;
  const added = isOfAttempt(Keys.entry.S)
    ? OldImage === undefined && parsedChange(storedAttempt, NewImage)
    : firstAttemptAddedBy(NewImage, OldImage);
  if (!added || added.trigger.S === 'test') return undefined;
  return {
    integration: Keys.partition.S.slice(0, Keys.partition.S.lastIndexOf('#')),
    startedAt: new Date(added.startedAt.S),
    answeredAfterMs: added.statusCode === undefined ? undefined : added.durationMs.N,
    outcome: added.outcome.S,
    position: positionOf(SequenceNumber),
  };
};

/** Two messages of one delivery may each bring a first attempt: the item keeps the later. */
const firstAttemptAddedBy = (newImage: unknown, oldImage: unknown) => {
  const added = parsedChange(image, newImage).firstAttempt?.M;
  const before = oldImage === undefined ? undefined : parsedChange(image, oldImage).firstAttempt?.M;
  return added?.startedAt.S === before?.startedAt.S ? undefined : added;
};

/** Sequence numbers have 21 to 40 digits, and grow within a shard. */
export const positionOf = (sequenceNumber: string): string => sequenceNumber.padStart(40, '0');
