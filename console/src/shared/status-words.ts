import type { Integration, Status } from '../api/resources.ts';

interface StatusInWords {
  /** Cloudscape's sign: its shape tells the status too, for those who see no colours. */
  readonly sign: 'success' | 'stopped' | 'warning' | 'error';
  readonly word: string;
  /** What the status means for the events. */
  readonly meaning: string;
}

const WORDS: Readonly<Record<Status, StatusInWords>> = {
  failed: {
    sign: 'error',
    word: 'Failed',
    meaning: 'The endpoint refuses events. They wait, and one is tried every hour.',
  },
  busy: {
    sign: 'warning',
    word: 'Busy',
    meaning: 'The endpoint does not answer. Events wait until it does.',
  },
  active: { sign: 'success', word: 'Active', meaning: 'Events are sent as they happen.' },
  inactive: { sign: 'stopped', word: 'Inactive', meaning: 'Switched off: no event is sent.' },
};

export const statusInWords = (status: Status): StatusInWords => WORDS[status];

/** What needs a person first comes first. */
export const byUrgency = (a: Status, b: Status): number => ORDER.indexOf(a) - ORDER.indexOf(b);

const ORDER: readonly Status[] = ['failed', 'busy', 'active', 'inactive'];

/** Why a webhook is failed, as short as a list needs it. */
export const failureInWords = ({
  statusCode,
  reason,
}: NonNullable<Integration['failure']>): string => {
  if (statusCode !== undefined) return `It answered ${statusCode}`;
  return reason === undefined ? 'It gave no answer' : `No answer: ${reason}`;
};

/** The subscribed types as a list has room for them: all names up to two, then how many more. */
export const subscriptionInWords = (actions: Readonly<Record<string, boolean>>): string => {
  const names = Object.keys(actions);
  const subscribed = names.filter((name) => actions[name]);
  if (subscribed.length === 0) return 'No events';
  if (subscribed.length === names.length) return `All ${names.length} events`;
  const [shown, more] = [subscribed.slice(0, 2).join(', '), subscribed.length - 2];
  return more > 0 ? `${shown} and ${more} more` : shown;
};
