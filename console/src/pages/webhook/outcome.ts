import type { Attempt, Delivery, DeliveryDetails } from '../../api/resources.ts';
import { findingOf, statusInWords } from './finding.ts';

/** As Cloudscape's StatusIndicator has them: sign and colour. */
type Sign = 'success' | 'error' | 'warning' | 'pending' | 'in-progress' | 'stopped';

export interface OutcomeInWords {
  readonly sign: Sign;
  readonly words: string;
  /** After the words, where there is room. */
  readonly detail?: string;
}

type Came = Pick<Attempt, 'outcome' | 'statusCode' | 'reason' | 'code'>;

/** The outcome of one attempt. */
export const attemptInWords = (attempt: Came): OutcomeInWords => {
  const { outcome, statusCode } = attempt;
  const answer = statusCode === undefined ? undefined : statusInWords(statusCode);
  if (outcome === 'delivered') {
    return { sign: 'success', words: 'Delivered', ...(answer && { detail: answer }) };
  }
  const sign = outcome === 'fatal' ? 'error' : 'warning';
  if (answer !== undefined)
    return { sign, words: outcome === 'fatal' ? 'Failed' : 'No answer', detail: answer };
  const words = outcome === 'fatal' ? 'Not sent' : 'No answer';
  return { sign, words, detail: findingOf(attempt).what };
};

/** What became of a delivery so far. */
export const deliveryInWords = ({
  outcome,
  latestAttempt,
  isPending,
  isSetAside,
}: Delivery): OutcomeInWords => {
  if (outcome === undefined || latestAttempt === undefined) {
    if (isSetAside) return { sign: 'stopped', words: 'Set aside' };
    // A list of what waits does not look attempts up.
    return { sign: 'pending', words: 'Waiting', ...(!isPending && { detail: 'not sent yet' }) };
  }
  // Delivered once, whatever a later attempt came to.
  if (outcome === 'delivered' && latestAttempt.outcome !== 'delivered') {
    return { sign: 'success', words: 'Delivered', detail: 'before' };
  }
  return attemptInWords(latestAttempt);
};

const TRIGGERS: Readonly<Record<Attempt['trigger'], string>> = {
  event: 'The event happened',
  backoff: 'Tried again after a pause',
  hourly: 'The hourly attempt',
  replay: 'Sent after the webhook recovered',
  manual: 'Sent by hand',
  test: 'A test',
};

/** Why an attempt was made. */
export const triggerInWords = (trigger: Attempt['trigger']): string => TRIGGERS[trigger];

/** What happens next to a delivery; `at` is an instant where one is planned. */
export interface Next {
  readonly sign: Sign;
  readonly words: string;
  readonly sentence: string;
  readonly at?: string;
}

type Followed = Pick<DeliveryDetails, 'attempts' | 'outcome' | 'isPending' | 'isSetAside'>;

/** Undefined when nothing more happens: the delivery arrived, or was a test. */
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
      sentence: 'Sent as soon as your endpoint confirms an event.',
      ...(at !== undefined && { at }),
    };
  }
  if (isSetAside) {
    return {
      sign: 'stopped',
      words: 'Set aside',
      sentence:
        'Your endpoint confirmed other events and refused this one. Send it again when your endpoint can take it.',
    };
  }
  if (outcome === 'delivered') return undefined;
  const planned = latest?.nextAttemptAt;
  if (planned !== undefined && Date.parse(planned) > now.getTime()) {
    return {
      sign: 'in-progress',
      words: 'Trying again',
      sentence: 'The pause grows with each attempt, for up to 12 hours.',
      at: planned,
    };
  }
  return QUEUED;
};

/** Of a delivery whose attempt is due. */
export const QUEUED: Next = {
  sign: 'in-progress',
  words: 'Queued',
  sentence: 'Sent any moment.',
};
