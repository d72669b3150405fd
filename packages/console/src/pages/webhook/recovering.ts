import { adviceFor, IN_WORDS, type Integration, type Retry } from '../../api/resources.ts';
import type { Notice } from '../../shell/notices.ts';

const HOUR_MS = 3_600_000;

const AGES = [
  { id: '1h', words: 'From the last hour', hours: 1 },
  { id: '24h', words: 'From the last 24 hours', hours: 24 },
  { id: '7d', words: 'From the last 7 days', hours: 7 * 24 },
  { id: '30d', words: `From the last ${IN_WORDS.logRetention} (the whole log)`, hours: 30 * 24 },
];

/**
 * The times since which undelivered events can be sent again. The most likely choice is first:
 * since the failure, if there is one.
 */
export const recoveryChoices = ({ failure }: Pick<Integration, 'failure'>, now: Date) => {
  const ages = AGES.map(({ id, words, hours }) => ({
    id,
    words,
    since: new Date(now.getTime() - hours * HOUR_MS).toISOString(),
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
        ? 'Your endpoint confirmed the event. The waiting events are being sent.'
        : 'All waiting events are being sent.',
    };
  }
  if (result === 'nothing-to-retry') {
    return {
      type: 'info',
      text:
        status === 'busy'
          ? 'No events are waiting to be retried. The webhook is active again when your endpoint confirms a delivery.'
          : 'No events are waiting, so there was nothing to retry.',
    };
  }
  const { what, advice } = adviceFor(attempt ?? {});
  return { type: 'error', text: `Not yet: ${what}. ${advice}` };
};
