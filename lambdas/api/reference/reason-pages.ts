import { IN_WORDS } from '../../../core/customer-limits.ts';
import {
  adviceFor,
  capitalised,
  reasonPage,
  STATUS_NAMES,
  statusInWords,
} from '../../../core/delivery/advice.ts';
import { classify, type OutcomeClass, type PostResult } from '../../../core/delivery/attempt.ts';
import { presentReason } from '../../../core/integration/reason-resource.ts';
import { REASONS, type Reason } from '../../../core/integration/reasons.ts';

/** What the page about the result of an attempt says. */
export interface ReasonPage {
  /** Path of the page. */
  readonly id: string;
  readonly title: string;
  readonly outcome: OutcomeClass;
  readonly meaning: string;
  readonly remedy: string;
  /** The members of an attempt that show the result. */
  readonly example: Readonly<Record<string, unknown>>;
}

const CONSEQUENCES: Readonly<Record<OutcomeClass, string>> = {
  delivered: 'The event is confirmed and not sent again.',
  transient: `The service sends the event again after growing delays, for ${IN_WORDS.window}. After that, the result counts as fatal.`,
  fatal:
    'The webhook becomes failed: the service stores its events, makes attempts every hour, and sends all events after the first success. With `onFatalError` `continue`, it continues with the other events.',
};

const pageOf = (result: PostResult): ReasonPage => {
  const isAnswered = result.kind === 'answered';
  const told = isAnswered ? { statusCode: result.statusCode } : presentReason(result.reason);
  const { what, advice } = adviceFor(told);
  const outcome = classify(result).class;
  return {
    id: reasonPage(isAnswered ? result.statusCode : result.reason),
    title: isAnswered ? statusInWords(result.statusCode) : capitalised(what),
    outcome,
    meaning: `${capitalised(what)}. ${CONSEQUENCES[outcome]}`,
    remedy: advice,
    example: { outcome, ...told },
  };
};

const pageOfStatus = (statusCode: number): ReasonPage =>
  pageOf({ kind: 'answered', statusCode, responseStart: '' });

/** The pages that the list of reasons has: other statuses have pages without a name. */
export const REASON_PAGES: readonly ReasonPage[] = [
  ...(Object.keys(REASONS) as Reason[]).map((reason) => pageOf({ kind: 'unanswered', reason })),
  ...Object.keys(STATUS_NAMES).map((status) => pageOfStatus(Number(status))),
];

export const REASON_NAME = /^([a-z]+(-[a-z]+)+|status-[1-9][0-9]{2})$/;

/** The page of a reason, or of `status-` and any status code; undefined for other names. */
export const reasonPageOf = (name: string): ReasonPage | undefined => {
  const id = `/reasons/${name}`;
  const listed = REASON_PAGES.find((page) => page.id === id);
  const status = /^status-([1-9][0-9]{2})$/.exec(name)?.[1];
  return listed ?? (status === undefined ? undefined : pageOfStatus(Number(status)));
};
