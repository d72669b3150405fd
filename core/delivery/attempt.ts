import type { EventReference } from './delivery.ts';

/** Why an attempt got no answer that counts. The words are what integrators read. */
export const REASONS = {
  'address-refused': 'the address is not one we deliver to (private, local or reserved)',
  'connect-timeout': 'no connection could be made in time',
  'response-timeout': 'no complete response head arrived in time',
  'dns-failure': 'the host name could not be resolved',
  'connection-refused': 'the connection was refused',
  'connection-failed': 'the connection could not be made or was closed before a response arrived',
  'tls-failure': 'no secure connection could be made (certificate or TLS error)',
  'malformed-response': 'what came back was not a readable HTTP response',
} as const;

export type Reason = keyof typeof REASONS;

/** What one POST came to, whatever the endpoint did. */
export type PostResult =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      /** First KiB of the response's body, as text. */
      readonly responseStart: string;
      /** The Retry-After header as the endpoint sent it. */
      readonly retryAfter?: string | undefined;
    }
  | {
      readonly kind: 'unanswered';
      readonly reason: Reason;
      /** The system's own code, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
      readonly code?: string;
    };

export type OutcomeClass = 'delivered' | 'transient' | 'fatal';

export interface Outcome {
  readonly class: OutcomeClass;
  readonly result: PostResult;
}

const GATEWAY_TIMEOUT = 504;

/** The webhook contract's table of what an endpoint's answer means, row by row. */
export const classify = (result: PostResult): Outcome => ({ class: classOf(result), result });

const classOf = (result: PostResult): OutcomeClass => {
  if (result.kind === 'unanswered') {
    return result.reason === 'address-refused' ? 'fatal' : 'transient';
  }
  if (result.statusCode >= 200 && result.statusCode < 300) return 'delivered';
  return result.statusCode === GATEWAY_TIMEOUT ? 'transient' : 'fatal';
};

/** What made us send: the event itself, a later try of the delivery, or somebody who asked for an attempt. */
export const TRIGGERS = ['event', 'backoff', 'hourly', 'replay', 'manual', 'test'] as const;

export type Trigger = (typeof TRIGGERS)[number];

/** One POST of one delivery, as the delivery log keeps it. */
export interface Attempt {
  readonly account: string;
  /** The integration's bare id. */
  readonly integration: string;
  readonly event: EventReference;
  /** Counts the attempts of the delivery, from 1. */
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** When the delivery's message comes back, as planned when the attempt ended; absent unless the delivery backs off. */
  readonly nextAttemptAt?: Date;
}
