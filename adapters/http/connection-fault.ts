import { errors } from 'undici';
import type { PostResult, Reason } from '../../core/delivery/attempt.ts';
import { AddressRefused } from './guarded-connector.ts';

/** Codes of Node, OpenSSL and undici, first match counts. */
const REASON_OF_CODE: readonly (readonly [RegExp, Reason])[] = [
  [/^UND_ERR_CONNECT_TIMEOUT$|^ETIMEDOUT$/, 'connect-timeout'],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'response-timeout'],
  [/^ENOTFOUND$|^ENODATA$|^EAI_/, 'dns-failure'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  // Undici asserts what its parser lets through: a status below 100, a 101 without an upgrade.
  [
    /^UND_ERR_HEADERS_OVERFLOW$|^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$|^ERR_ASSERTION$/,
    'malformed-response',
  ],
  [
    /^ERR_TLS|^ERR_SSL|^EPROTO$|CERT|SELF_SIGNED|^UNABLE_TO_|CRL|^HOSTNAME_MISMATCH$|^INVALID_/,
    'tls-failure',
  ],
  [/^E[A-Z]+$|^UND_ERR_SOCKET$/, 'connection-failed'],
];

/**
 * What undici says of a response whose head it read and cannot go on from: a protocol switch
 * nobody asked for, and an interim 100. They are the endpoint's final word to us.
 */
const FINAL_INTERIM_STATUS = new Map([
  ['bad upgrade', 101],
  ['bad response', 100],
]);

/** Undici's own codes say nothing to those who do not use undici. */
const isOfTheSystem = (code: string | undefined): code is string =>
  code !== undefined && !/^UND_ERR_|^ERR_ASSERTION$/.test(code);

/** What a failed request means. Rethrows a fault that is no doing of the endpoint's. */
export const resultOfFault = (error: unknown): PostResult => {
  if (error instanceof AddressRefused) return { kind: 'unanswered', reason: 'address-refused' };
  // Its code is always undefined: undici looks the parser's number up among names.
  if (error instanceof errors.HTTPParserError) {
    return { kind: 'unanswered', reason: 'malformed-response' };
  }
  const { code, message } = error as NodeJS.ErrnoException;
  const statusCode = code === 'UND_ERR_SOCKET' ? FINAL_INTERIM_STATUS.get(message) : undefined;
  if (statusCode !== undefined) return { kind: 'answered', statusCode, responseStart: '' };
  const reason = REASON_OF_CODE.find(([pattern]) => code !== undefined && pattern.test(code))?.[1];
  if (reason === undefined) throw error;
  return { kind: 'unanswered', reason, ...(isOfTheSystem(code) && { code }) };
};
