import type { PostResult, Reason } from '../../core/delivery/attempt.ts';

export type Unanswered = Extract<PostResult, { kind: 'unanswered' }>;

/** The delivery guard refused an address at connect time. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** A host name led to no address. */
export class NameUnresolved extends Error {
  override readonly name = 'NameUnresolved';
  readonly code: string;

  constructor(cause: unknown) {
    super('The host name was not resolved.', { cause });
    const code = codeOf(cause);
    // A query is cancelled when its time is over.
    this.code = code === 'ECANCELLED' ? 'ETIMEOUT' : code;
  }

  get isTimeout(): boolean {
    return this.code === 'ETIMEOUT';
  }
}

/** Codes of the system, Node, its HTTP parser and OpenSSL. */
const REASON_OF_CODE: readonly (readonly [RegExp, Reason])[] = [
  [/^ETIMEDOUT$/, 'connect-timeout'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  [/^HPE_/, 'malformed-response'],
  [/^ERR_(TLS|SSL|OSSL)_|^EPROTO$/, 'tls-failure'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'connection-failed'],
  // The last is the answer of a function's sandbox to IPv6.
  [/^(EHOSTUNREACH|ENETUNREACH|EAFNOSUPPORT)$/, 'connection-failed'],
];

/**
 * Every error has a result: a thrown one would leave the delivery in its queue, without an attempt
 * in the log. An error that no reason fits is marked `isUnknown`.
 * @param duringHandshake OpenSSL then has more codes for certificates than this file could list
 */
export const resultOfFault = (error: unknown, duringHandshake: boolean): Unanswered => {
  if (error instanceof AddressRefused) return unanswered('address-refused');
  const code = codeOf(error);
  // DNS has codes of its own with other meanings, such as ECONNREFUSED.
  if (error instanceof NameUnresolved) return unanswered('dns-failure', code);
  const reason =
    REASON_OF_CODE.find(([pattern]) => pattern.test(code))?.[1] ??
    (duringHandshake ? 'tls-failure' : undefined);
  if (reason !== undefined) return unanswered(reason, code);
  return { ...unanswered('connection-failed', code), isUnknown: true };
};

/** Whether an error says that the endpoint's side closed the connection, in good order or not. */
export const isClosedConnection = (error: unknown): boolean =>
  /^(ECONNRESET|EPIPE)$/.test(codeOf(error));

/** Whether Node's HTTP parser could not read what arrived. */
export const isUnreadableAnswer = (error: unknown): boolean => /^HPE_/.test(codeOf(error));

export const unanswered = (reason: Reason, code?: string): Unanswered => ({
  kind: 'unanswered',
  reason,
  ...(code !== undefined && { code }),
});

/** In a message of OpenSSL: library, function and reason. */
const OPENSSL_REASON = /:SSL routines:[^:]*:([^:]+):/;

/** `UNSPECIFIED` and `EPROTO` say nothing: the code is made of OpenSSL's words in the message. */
const codeOf = (error: unknown): string => {
  const { code, name, message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (code === 'UNSPECIFIED' && message !== '') return asCode(message);
  const reason = code === 'EPROTO' && OPENSSL_REASON.exec(message)?.[1];
  return reason ? `ERR_SSL_${asCode(reason)}` : (code ?? name ?? typeof error);
};

const asCode = (words: string): string => words.toUpperCase().replaceAll(/\W+/g, '_');
