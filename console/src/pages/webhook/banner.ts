import type { Integration } from '../../api/resources.ts';
import { findingOf, type Observed } from './finding.ts';

/** What is wrong with a webhook and what to do about it; a webhook that works has none. */
export interface Banner {
  readonly type: 'error' | 'warning' | 'info';
  /** A clause after the time, where a time is known: "your endpoint answered 500 …". */
  readonly what: string;
  readonly since?: string;
  readonly advice: string;
  /** Whether `onFatalError` `continue` would have kept the other events going. */
  readonly suggestsContinue: boolean;
  /** How many events wait, and that none is lost. */
  readonly waiting: string;
  readonly nextAttemptAt?: string;
  /** Whether Retry now and Recover all are of use: they are not while it is inactive. */
  readonly canRecover: boolean;
}

interface Known {
  /** Undefined until it is counted. */
  readonly waiting: number | undefined;
  /** Of the latest delivery that got no answer, for a busy webhook. */
  readonly latest?: Observed | undefined;
}

type Shown = Pick<Integration, 'status' | 'failure' | 'updatedAt'>;

export const bannerOf = (
  { status, failure, updatedAt }: Shown,
  { waiting, latest }: Known,
): Banner | undefined => {
  if (status === 'failed' && failure !== undefined) {
    return {
      type: 'error',
      since: failure.since,
      ...findingOf(failure),
      suggestsContinue: failure.advice !== undefined,
      waiting: waitingInWords(waiting),
      nextAttemptAt: failure.nextAttemptAt,
      canRecover: true,
    };
  }
  if (status === 'busy') {
    const finding = latest && findingOf(latest);
    return {
      type: 'warning',
      what: `20 deliveries in a row got no answer${finding ? `: ${finding.what}` : ''}`,
      advice: finding?.advice ?? 'Send a test to see what your endpoint answers now.',
      suggestsContinue: false,
      waiting: waitingInWords(waiting),
      canRecover: true,
    };
  }
  if (status === 'inactive') {
    return {
      type: 'info',
      since: updatedAt,
      what: 'this webhook is switched off',
      advice: 'New events are neither sent nor kept. Switch it on under Settings.',
      suggestsContinue: false,
      waiting: waiting === 0 ? '' : `${waitingInWords(waiting)} They are sent once it is on again.`,
      canRecover: false,
    };
  }
  if (status === 'active' && waiting !== undefined && waiting > 0) {
    return {
      type: 'info',
      what: 'some events are waiting',
      advice:
        'Your endpoint takes other events. These are being sent, or are sent within the hour. Choose Retry now to send them at once.',
      suggestsContinue: false,
      waiting: waitingInWords(waiting),
      canRecover: true,
    };
  }
  return undefined;
};

const COUNTED_UP_TO = 10_000;

export const waitingInWords = (waiting: number | undefined): string => {
  if (waiting === undefined) return 'Events wait; none is lost.';
  if (waiting === 0) return 'No event waits.';
  if (waiting === 1) return '1 event waits; it is not lost.';
  const atLeast = waiting >= COUNTED_UP_TO ? ' or more' : '';
  return `${waiting.toLocaleString('en')}${atLeast} events wait; none is lost.`;
};
