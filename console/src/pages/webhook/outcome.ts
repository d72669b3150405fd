import type {
  AttemptDocument,
  DeliveryDetailsDocument,
  DeliveryDocument,
} from '../../../../core/delivery/shown/delivery-resource.ts';
import { findingOf, statusInWords } from './finding.ts';

/** As Cloudscape's StatusIndicator has them: sign and colour. */
export type Sign = 'success' | 'error' | 'warning' | 'pending' | 'in-progress' | 'stopped';

export interface OutcomeInWords {
  readonly sign: Sign;
  readonly words: string;
  /** After the words, where there is room. */
  readonly detail?: string;
}

type Came = Pick<AttemptDocument, 'outcome' | 'statusCode' | 'reason' | 'code'>;

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
  isSetAside,
}: DeliveryDocument): OutcomeInWords => {
  if (outcome === undefined || latestAttempt === undefined) {
    if (isSetAside) return { sign: 'stopped', words: 'Set aside' };
    return { sign: 'pending', words: 'Waiting', detail: 'not sent yet' };
  }
  // Delivered once, whatever a later attempt came to.
  if (outcome === 'delivered' && latestAttempt.outcome !== 'delivered') {
    return { sign: 'success', words: 'Delivered', detail: 'before' };
  }
  return attemptInWords(latestAttempt);
};

const TRIGGERS: Readonly<Record<AttemptDocument['trigger'], string>> = {
  event: 'The event happened',
  backoff: 'Tried again after a pause',
  hourly: 'The hourly attempt',
  replay: 'Sent after the webhook recovered',
  manual: 'Sent by hand',
  test: 'A test',
};

/** Why an attempt was made. */
export const triggerInWords = (trigger: AttemptDocument['trigger']): string => TRIGGERS[trigger];

/** What happens next to a delivery; `at` is an instant where one is planned. */
export interface Next {
  readonly sign: Sign;
  readonly words: string;
  readonly at?: string;
}

type Followed = Pick<DeliveryDetailsDocument, 'attempts' | 'outcome' | 'isPending' | 'isSetAside'>;

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
      words: 'Waits, and is sent once your endpoint confirms an event',
      ...(at !== undefined && { at }),
    };
  }
  if (isSetAside) {
    return {
      sign: 'stopped',
      words:
        'Set aside: your endpoint confirmed other events and refused this one. Send it again when your endpoint can take it',
    };
  }
  if (outcome === 'delivered') return undefined;
  const planned = latest?.nextAttemptAt;
  if (planned !== undefined && Date.parse(planned) > now.getTime()) {
    return { sign: 'in-progress', words: 'Tried again', at: planned };
  }
  return { sign: 'in-progress', words: 'Queued, and sent any moment' };
};
