import type { Integration } from '../../api/resources.ts';

/** Since when undelivered events are sent again. */
export interface RecoveryChoice {
  readonly id: string;
  readonly words: string;
  readonly since: string;
}

const HOUR_MS = 3_600_000;

const AGES: readonly (readonly [string, string, number])[] = [
  ['1h', 'Of the last hour', HOUR_MS],
  ['24h', 'Of the last 24 hours', 24 * HOUR_MS],
  ['7d', 'Of the last 7 days', 7 * 24 * HOUR_MS],
  ['30d', 'Of the last 30 days: all that the log has', 30 * 24 * HOUR_MS],
];

/** The likeliest first: since the trouble began, where that is known. */
export const recoveryChoices = (
  { failure }: Pick<Integration, 'failure'>,
  now: Date,
): readonly RecoveryChoice[] => {
  const ages = AGES.map(([id, words, age]) => ({
    id,
    words,
    since: new Date(now.getTime() - age).toISOString(),
  }));
  if (failure === undefined) return ages;
  return [{ id: 'failure', words: 'Since the webhook failed', since: failure.since }, ...ages];
};

/**
 * The instant of a `datetime-local` field, in the reader's zone. Undefined where the field is empty
 * or its time is still to come: the API takes none of the future.
 */
export const pastInstant = (local: string, now: Date): string | undefined => {
  const at = new Date(local);
  if (Number.isNaN(at.getTime()) || at > now) return undefined;
  return at.toISOString();
};
