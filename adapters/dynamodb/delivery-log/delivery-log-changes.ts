import * as z from 'zod';
import { TRIGGERS } from '../../../core/delivery/attempt.ts';
import type { StreamedAttempt } from '../../../core/delivery/statistics/count-attempts.ts';
import { parsedChange } from '../table/stream-records.ts';
import { isOfAttempt } from './delivery-log-items.ts';

const text = z.object({ S: z.string() });

const storedAttempt = z.object({
  trigger: z.object({ S: z.enum(TRIGGERS) }),
  startedAt: z.object({ S: z.iso.datetime() }),
  durationMs: z.object({ N: z.coerce.number().min(0) }),
  outcome: z.object({ S: z.enum(['delivered', 'transient', 'fatal']) }),
  statusCode: z.unknown().optional(),
});

const image = z.object({
  firstAttempt: z.object({ M: storedAttempt }).optional(),
  deliveredAt: z.object({ S: z.iso.datetime() }).optional(),
});

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
 * What a change of table DeliveryLog adds to the statistics. A delivery's item brings its first
 * attempt, when it is put or later, and `deliveredAt` once; other items bring an attempt each. A
 * repeated put, a deletion and a test add nothing. Throws `UnreadableChange`.
 */
export const countedIn = (change: unknown): readonly StreamedAttempt[] => {
  const { eventName, dynamodb } = parsedChange(changeSchema, change);
  if (eventName === 'REMOVE') return [];
  const { Keys, NewImage, OldImage, SequenceNumber } = dynamodb;
  const integration = Keys.partition.S.slice(0, Keys.partition.S.lastIndexOf('#'));
  const position = positionOf(SequenceNumber);
  const added = isOfAttempt(Keys.entry.S)
    ? attemptIn(OldImage === undefined ? parsedChange(storedAttempt, NewImage) : undefined)
    : addedBetween(parsedChange(image, OldImage ?? {}), parsedChange(image, NewImage));
  return added.map((one) => ({ integration, position, ...one }));
};

type Counted = Omit<StreamedAttempt, 'integration' | 'position'>;

const attemptIn = (stored: z.output<typeof storedAttempt> | undefined): readonly Counted[] => {
  if (stored === undefined || stored.trigger.S === 'test') return [];
  const { startedAt, statusCode, durationMs, outcome, trigger } = stored;
  const answeredAfterMs = statusCode === undefined ? undefined : durationMs.N;
  const of = { startedAt: new Date(startedAt.S), trigger: trigger.S };
  return [{ ...of, answeredAfterMs, counted: outcome.S }];
};

/** Two messages of one delivery may each bring a first attempt: the item keeps the later. */
const addedBetween = (
  before: z.output<typeof image>,
  { firstAttempt, deliveredAt }: z.output<typeof image>,
): readonly Counted[] => {
  const isAttemptKnown = firstAttempt?.M.startedAt.S === before.firstAttempt?.M.startedAt.S;
  const attempts = attemptIn(isAttemptKnown ? undefined : firstAttempt?.M);
  if (!deliveredAt || before.deliveredAt || firstAttempt?.M.trigger.S === 'test') return attempts;
  const startedAt = new Date(deliveredAt.S);
  return [...attempts, { startedAt, answeredAfterMs: undefined, counted: 'deliveredEvents' }];
};

/** Sequence numbers have 21 to 40 digits, and grow within a shard. */
export const positionOf = (sequenceNumber: string): string => sequenceNumber.padStart(40, '0');
