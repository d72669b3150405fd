import { errors } from 'undici';
import type { PostResult, Reason } from '../../core/delivery/attempt.ts';
import { AddressRefused } from './guarded-connector.ts';

/** Codes of Node, OpenSSL and undici. The first match counts. */
const REASON_OF_CODE: readonly (readonly [RegExp, Reason])[] = [
  [/^UND_ERR_CONNECT_TIMEOUT$|^ETIMEDOUT$/, 'connect-timeout'],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'response-timeout'],
  [/^ENOTFOUND$|^ENODATA$|^EAI_/, 'dns-failure'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  // ERR_ASSERTION: undici's parser let through a status below 100, or a 101 without an upgrade.
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
 * Undici's error messages, by status code, for two responses after whose head it cannot go on: a
 * protocol switch that was not asked for, and an interim 100. Both count as the endpoint's answer.
 */
const FINAL_INTERIM_STATUS = new Map([
  ['bad upgrade', 101],
  ['bad response', 100],
]);

/** Undici's own codes are not shown: they mean nothing to integrators. */
const isSystemCode = (code: string | undefined): code is string =>
  code !== undefined && !/^UND_ERR_|^ERR_ASSERTION$/.test(code);

/** The result of a request that failed. Rethrows an error that the endpoint did not cause. */
export const resultOfFault = (error: unknown): PostResult => {
  if (error instanceof AddressRefused) return { kind: 'unanswered', reason: 'address-refused' };
  // The code of this error is always undefined: undici looks up the parser's number among names.
  if (error instanceof errors.HTTPParserError) {
    return { kind: 'unanswered', reason: 'malformed-response' };
  }
  const { code, message } = error as NodeJS.ErrnoException;
  const statusCode = code === 'UND_ERR_SOCKET' ? FINAL_INTERIM_STATUS.get(message) : undefined;
  if (statusCode !== undefined) return { kind: 'answered', statusCode, responseStart: '' };
  const reason = REASON_OF_CODE.find(([pattern]) => code !== undefined && pattern.test(code))?.[1];
  if (reason === undefined) throw error;
  return { kind: 'unanswered', reason, ...(isSystemCode(code) && { code }) };
};
