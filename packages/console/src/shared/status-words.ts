import { adviceFor, capitalised, type Integration, type Status } from '../api/resources.ts';

interface StatusInWords {
  /** Cloudscape's sign. Its shape shows the status to users who see no colours. */
  readonly sign: 'success' | 'stopped' | 'warning' | 'error';
  readonly badge: 'green' | 'grey' | 'severity-medium' | 'red';
  readonly word: string;
  /** The effect on the events. */
  readonly meaning: string;
}

/** Statuses that need attention come first. */
const WORDS: Readonly<Record<Status, StatusInWords>> = {
  failed: {
    sign: 'error',
    badge: 'red',
    word: 'Failed',
    meaning: 'Your endpoint refused an event. Events are waiting. Attempts are made every hour.',
  },
  busy: {
    sign: 'warning',
    badge: 'severity-medium',
    word: 'Busy',
    meaning:
      'Your endpoint does not answer, or answers 504. Events are waiting until it confirms one.',
  },
  active: {
    sign: 'success',
    badge: 'green',
    word: 'Active',
    meaning: 'Events are sent as they happen.',
  },
  inactive: { sign: 'stopped', badge: 'grey', word: 'Inactive', meaning: 'No events are sent.' },
};

export const statusInWords = (status: Status): StatusInWords => WORDS[status];

const ORDER = Object.keys(WORDS);

export const byUrgency = (a: Status, b: Status): number => ORDER.indexOf(a) - ORDER.indexOf(b);

export const failureInWords = (failure: NonNullable<Integration['failure']>): string =>
  capitalised(adviceFor(failure).what);

interface Subscription {
  readonly actions: Readonly<Record<string, boolean>>;
  readonly filter?: unknown;
}

/** The subscribed types, for a list at most two names, and how many more. */
export const subscriptionInWords = ({ actions, filter }: Subscription, most = 2): string => {
  const names = Object.keys(actions);
  const subscribed = names.filter((name) => actions[name]);
  if (subscribed.length === 0) return 'No events';
  const [shown, more] = [subscribed.slice(0, most).join(', '), subscribed.length - most];
  const some = more > 0 ? `${shown} and ${more} more` : shown;
  const types = subscribed.length === names.length ? `All ${names.length} event types` : some;
  return filter === undefined ? types : `${types} that match a filter`;
};
