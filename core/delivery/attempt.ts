import type { Reason } from '../integration/reasons.ts';
import type { Delivery, EventReference } from './delivery.ts';

export type PostResult =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      /** The first KiB of the response's body, as text. */
      readonly responseStart: string;
      readonly retryAfter?: string | undefined;
      /** Host and path that a redirect points to: printable ASCII, at most 300 characters. */
      readonly location?: string | undefined;
    }
  | {
      readonly kind: 'unanswered';
      readonly reason: Reason;
      /** The system's code, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
      readonly code?: string;
      /** No reason fits the code: an operator has to look. Not stored. */
      readonly isUnknown?: true;
    };

export const OUTCOMES = ['delivered', 'transient', 'fatal'] as const;

export type OutcomeClass = (typeof OUTCOMES)[number];

export interface Outcome {
  readonly class: OutcomeClass;
  readonly result: PostResult;
}

const GATEWAY_TIMEOUT = 504;

/** These requests are never sent, however often they are attempted. */
const NEVER_SENT: ReadonlySet<Reason> = new Set(['address-refused', 'not-sent']);

export const classify = (result: PostResult): Outcome => ({ class: classOf(result), result });

const classOf = (result: PostResult): OutcomeClass => {
  if (result.kind === 'unanswered') {
    return NEVER_SENT.has(result.reason) ? 'fatal' : 'transient';
  }
  if (result.statusCode >= 200 && result.statusCode < 300) return 'delivered';
  return result.statusCode === GATEWAY_TIMEOUT ? 'transient' : 'fatal';
};

/** Request Timeout, Too Early, Too Many Requests: with them an endpoint speaks of itself, too. */
const OF_ENDPOINT: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether an outcome without success speaks of the endpoint: no answer, a 5xx, or a wish to wait. */
export const speaksOfEndpoint = ({ class: outcome, result }: Outcome): boolean =>
  result.kind === 'answered'
    ? result.statusCode >= 500 || OF_ENDPOINT.has(result.statusCode)
    : outcome === 'transient';

/** Whether a request was sent. What was not says nothing of the event, nor of its endpoint. */
export const isSent = ({ class: outcome, result }: Outcome): boolean =>
  result.kind === 'answered' || outcome === 'transient';

/** Whether the endpoint answered with a fatal outcome. */
export const isRefusal = ({ class: outcome, result }: Outcome): boolean =>
  outcome === 'fatal' && result.kind === 'answered';

export const TRIGGERS = ['event', 'backoff', 'hourly', 'replay', 'manual', 'test'] as const;

export type Trigger = (typeof TRIGGERS)[number];

/** The trigger of a delivery's next attempt. A repeated routing is shown as the first one. */
export const nextTrigger = ({ trigger, backoff }: Delivery): Trigger =>
  backoff ? 'backoff' : trigger === 'rerouted' ? 'event' : trigger;

/** One POST of one delivery, as the delivery log stores it. */
export interface Attempt {
  readonly account: string;
  /** The integration's bare id. */
  readonly integration: string;
  readonly event: EventReference;
  /** Which attempt of the delivery this is, counted from 1. */
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** When the next attempt was planned. The delivery may have become pending instead. */
  readonly nextAttemptAt?: Date;
}

export const endOf = ({ startedAt, durationMs }: Pick<Attempt, 'startedAt' | 'durationMs'>): Date =>
  new Date(startedAt.getTime() + durationMs);
