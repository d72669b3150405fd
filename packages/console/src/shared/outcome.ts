import {
  type Attempt,
  adviceFor,
  type Delivery,
  type DeliveryDetails,
  IN_WORDS,
  statusInWords,
} from '../api/resources.ts';

type Sign = 'success' | 'error' | 'warning' | 'pending' | 'in-progress' | 'stopped';

export interface OutcomeInWords {
  readonly sign: Sign;
  readonly words: string;
  /** Shown after the words if there is room. */
  readonly detail?: string;
}

/**
 * The classes of outcomes. A temporary error is no answer or 504: the service sends the event again,
 * and after its window treats it as failed.
 */
export const OUTCOME_WORDS: Readonly<Record<Attempt['outcome'], string>> = {
  delivered: 'Delivered',
  transient: 'Temporary error',
  fatal: 'Failed',
};

type AttemptResult = Pick<Attempt, 'outcome' | 'statusCode' | 'reason' | 'code'>;

export const attemptInWords = (attempt: AttemptResult): OutcomeInWords => {
  const { outcome, statusCode } = attempt;
  const answer = statusCode === undefined ? undefined : statusInWords(statusCode);
  if (outcome === 'delivered') {
    return { sign: 'success', words: OUTCOME_WORDS.delivered, ...(answer && { detail: answer }) };
  }
  const detail = answer ?? adviceFor(attempt).what;
  if (outcome === 'transient') return { sign: 'warning', words: OUTCOME_WORDS.transient, detail };
  return { sign: 'error', words: answer === undefined ? 'Not sent' : OUTCOME_WORDS.fatal, detail };
};

/** The outcome of a delivery so far. */
export const deliveryInWords = ({
  outcome,
  latestAttempt,
  isPending,
  isSetAside,
}: Delivery): OutcomeInWords => {
  if (outcome === undefined || latestAttempt === undefined) {
    if (isSetAside) return { sign: 'stopped', words: 'Set aside' };
    // A list of pending events has no attempts.
    return { sign: 'pending', words: 'Waiting', ...(!isPending && { detail: 'not sent yet' }) };
  }
  // Delivered once, whatever the outcome of a later attempt.
  if (outcome === 'delivered' && latestAttempt.outcome !== 'delivered') {
    return { sign: 'success', words: 'Delivered', detail: 'before' };
  }
  return attemptInWords(latestAttempt);
};

export const TRIGGER_WORDS: Readonly<Record<Attempt['trigger'], string>> = {
  event: 'The event happened',
  backoff: 'Retried after a delay',
  hourly: 'The hourly attempt',
  replay: 'Sent after the webhook recovered',
  manual: 'Sent by hand',
  test: 'A test',
};

/** What happens next to a delivery. `at` is the time of the next attempt, if it is known. */
export interface Next {
  readonly sign: Sign;
  readonly words: string;
  readonly sentence: string;
  readonly at?: string;
}

type Followed = Pick<DeliveryDetails, 'attempts' | 'outcome' | 'isPending' | 'isSetAside'>;

/** Undefined if nothing more happens: the delivery was delivered, or is a test. */
export const nextOf = (
  { attempts, outcome, isPending, isSetAside }: Followed,
  hourly: { readonly nextAttemptAt?: string | undefined },
  now: Date,
): Next | undefined => {
  const latest = attempts.at(-1);
  if (latest?.trigger === 'test') return undefined;
  if (isPending) {
    const at = hourly.nextAttemptAt;
    return {
      sign: 'pending',
      words: 'Waiting',
      sentence: 'Sent when the webhook recovers, or after a delay.',
      ...(at !== undefined && { at }),
    };
  }
  if (isSetAside) {
    return {
      sign: 'stopped',
      words: 'Set aside',
      sentence:
        'Your endpoint confirmed other events, but not this one. Send it again when your endpoint can take it.',
    };
  }
  if (outcome === 'delivered') return undefined;
  const planned = latest?.nextAttemptAt;
  if (planned !== undefined && Date.parse(planned) > now.getTime()) {
    return {
      sign: 'in-progress',
      words: 'Trying again',
      sentence: `The delay grows with each attempt, for up to ${IN_WORDS.window}.`,
      at: planned,
    };
  }
  return QUEUED;
};

/** The next attempt is due. */
export const QUEUED: Next = { sign: 'in-progress', words: 'Queued', sentence: 'Sent any moment.' };
