import { adviceFor, type Integration, type Observed } from '../../api/resources.ts';
import { inDigits } from '../../shared/locale.ts';

export interface Banner {
  readonly type: 'error' | 'warning' | 'info';
  /** A clause: "your endpoint answered 500 …". */
  readonly what: string;
  readonly since?: string;
  readonly advice: string;
  /** Path of the API's page about what happened. */
  readonly page?: string;
  /** Whether `onFatalError` `continue` would have kept the other events going. */
  readonly suggestsContinue: boolean;
  /** How many events are pending. */
  readonly waiting: string;
  readonly nextAttemptAt?: string;
  /** Whether the banner offers Retry now and Recover all. An inactive webhook needs neither. */
  readonly canRecover: boolean;
}

interface Known {
  /** The number of pending events; undefined until it is read. */
  readonly waiting: number | undefined;
  /** The latest attempt of a busy webhook with a temporary error. */
  readonly latest?: Observed | undefined;
}

type Shown = Pick<Integration, 'status' | 'failure' | 'updatedAt'> & {
  readonly settings?: Pick<Integration['settings'], 'whileInactive'>;
};

/** The banner of a webhook; undefined if the webhook works. */
export const bannerOf = (
  { status, failure, settings, updatedAt }: Shown,
  { waiting, latest }: Known,
): Banner | undefined => {
  const trouble = { suggestsContinue: false, waiting: waitingInWords(waiting), canRecover: true };
  if (status === 'failed' && failure !== undefined) {
    return {
      ...trouble,
      type: 'error',
      since: failure.since,
      ...adviceFor(failure),
      suggestsContinue: failure.advice !== undefined,
      nextAttemptAt: failure.nextAttemptAt,
    };
  }
  if (status === 'busy') {
    const finding = latest && adviceFor(latest);
    return {
      ...trouble,
      type: 'warning',
      what: `20 deliveries in a row had a temporary error${finding ? `: ${finding.what}` : ''}`,
      advice: finding?.advice ?? 'Send a test to see what your endpoint answers now.',
      ...(finding?.page !== undefined && { page: finding.page }),
    };
  }
  if (status === 'inactive') {
    return {
      ...trouble,
      type: 'info',
      since: updatedAt,
      what: 'this webhook is inactive',
      advice: `New events are ${settings?.whileInactive === 'keep' ? 'stored, and not sent' : 'neither sent nor stored'}. Activate it under Settings.`,
      waiting:
        waiting === 0
          ? ''
          : `${waitingInWords(waiting)} They are sent once the webhook is active again.`,
      canRecover: false,
    };
  }
  if (status === 'active' && waiting !== undefined && waiting > 0) {
    return {
      ...trouble,
      type: 'info',
      what: 'some events are waiting',
      advice:
        'Your endpoint accepts other events. These are being sent now, or will be sent after a delay. Choose Retry now to send them immediately.',
    };
  }
  return undefined;
};

const COUNTED_UP_TO = 10_000;

export const waitingInWords = (waiting: number | undefined): string => {
  if (waiting === undefined) return 'Events are waiting. None are lost.';
  if (waiting === 0) return 'No events are waiting.';
  if (waiting === 1) return '1 event is waiting. It is not lost.';
  const atLeast = waiting >= COUNTED_UP_TO ? ' or more' : '';
  return `${inDigits(waiting)}${atLeast} events are waiting. None are lost.`;
};
