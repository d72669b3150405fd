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

/** What one POST came to, as the port reports it. It never throws for what an endpoint does. */
export type PostResult =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      /** First KiB of the response's body, as text. */
      readonly responseStart: string;
      /** The Retry-After header as it was sent. */
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

/** The decisions' table "What an attempt's result means", row by row. */
export const classify = (result: PostResult): Outcome => ({ class: classOf(result), result });

const classOf = (result: PostResult): OutcomeClass => {
  if (result.kind === 'unanswered') {
    return result.reason === 'address-refused' ? 'fatal' : 'transient';
  }
  if (result.statusCode >= 200 && result.statusCode < 300) return 'delivered';
  return result.statusCode === GATEWAY_TIMEOUT ? 'transient' : 'fatal';
};
