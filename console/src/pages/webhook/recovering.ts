import type { Integration, Retry } from '../../api/resources.ts';
import type { Notice } from '../../shell/notices.ts';
import { findingOf } from './finding.ts';

/** A time since which undelivered events are sent again. */
interface RecoveryChoice {
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

/** The most likely choice is first: since the failure, if there is one. */
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
 * The instant in a `datetime-local` field, in the local time zone. Undefined if the field is empty,
 * or if the instant is in the future, which the API refuses.
 */
export const pastInstant = (local: string, now: Date): string | undefined => {
  const at = new Date(local);
  if (Number.isNaN(at.getTime()) || at > now) return undefined;
  return at.toISOString();
};

/** The result of a retry, for the user who asked for it. */
export const retryInWords = ({
  result,
  status,
  attempt,
}: Pick<Retry, 'result' | 'status' | 'attempt'>): Notice => {
  if (result === 'recovered') {
    return {
      type: 'success',
      text: attempt
        ? 'Your endpoint confirmed the event. Everything that waits is being sent.'
        : 'Everything that waits is being sent.',
    };
  }
  if (result === 'nothing-to-retry') {
    return {
      type: 'info',
      text:
        status === 'busy'
          ? 'Nothing waits to be retried. The next delivery that your endpoint confirms ends the trouble.'
          : 'Nothing waits, so there was nothing to retry.',
    };
  }
  const { what, advice } = findingOf(attempt ?? {});
  return { type: 'error', text: `Not yet: ${what}. ${advice}` };
};
