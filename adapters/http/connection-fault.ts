import type { PostResult } from '../../core/delivery/attempt.ts';
import type { Reason } from '../../core/integration/reasons.ts';

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

/** Codes of the system, Node, its HTTP parser and OpenSSL. The first pattern that fits counts. */
const REASON_OF_CODE: readonly (readonly [RegExp, Reason])[] = [
  [/^ETIMEDOUT$/, 'connect-timeout'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE)$/, 'connection-failed'],
  // The last is the answer of a function's sandbox to IPv6.
  [/^(EHOSTUNREACH|ENETUNREACH|EAFNOSUPPORT)$/, 'connection-failed'],
  [/^CERT_HAS_EXPIRED$/, 'certificate-expired'],
  [/^CERT_NOT_YET_VALID$/, 'certificate-not-yet-valid'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'certificate-name-mismatch'],
  [/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/, 'certificate-untrusted'],
  [/^UNABLE_TO_GET_ISSUER_CERT_LOCALLY$/, 'certificate-untrusted'],
  [/^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/, 'certificate-chain-incomplete'],
  [/^(EE|CA)_CERTIFICATE_KEY_TOO_WEAK$/, 'certificate-too-weak'],
  [/^CA_SIGNATURE_DIGEST_ALGORITHM_TOO_WEAK$/, 'certificate-too-weak'],
  [/^ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED$/, 'client-certificate-required'],
  [/^ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE$/, 'tls-handshake-refused'],
  [/^ERR_SSL_(TLSV1_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/, 'tls-version-unsupported'],
  [/^ERR_SSL_TLSV1_UNRECOGNIZED_NAME$/, 'certificate-missing'],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, 'tls-missing'],
  [/^ERR_(TLS|SSL|OSSL)_|^EPROTO$/, 'tls-failure'],
  [/^HPE_INVALID_CONSTANT$/, 'not-http'],
  [/^HPE_INVALID_VERSION$/, 'malformed-version'],
  [/^HPE_INVALID_STATUS$/, 'malformed-status'],
  [/^HPE_HEADER_OVERFLOW$/, 'headers-too-large'],
  [/^HPE_(INVALID|UNEXPECTED)_CONTENT_LENGTH$/, 'malformed-content-length'],
  [/^HPE_INVALID_HEADER_TOKEN$/, 'malformed-header'],
  [/^HPE_/, 'malformed-response'],
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
