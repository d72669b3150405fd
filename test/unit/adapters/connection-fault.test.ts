import { describe, expect, it } from 'vitest';
import {
  AddressRefused,
  NameUnresolved,
  resultOfFault,
} from '../../../adapters/http/connection-fault.ts';
import { classify } from '../../../core/delivery/attempt.ts';

const fault = (code: string | undefined, message = 'no good') =>
  Object.assign(new Error(message), code !== undefined && { code });

describe('the result of a fault', () => {
  it.each([
    ['ECONNREFUSED', 'connection-refused'],
    ['ETIMEDOUT', 'connect-timeout'],
    ['ECONNRESET', 'connection-failed'],
    ['EHOSTUNREACH', 'connection-failed'],
    ['ENETUNREACH', 'connection-failed'],
    ['EAFNOSUPPORT', 'connection-failed'],
    ['EPIPE', 'connection-failed'],
    ['HPE_INVALID_CONSTANT', 'not-http'],
    ['HPE_INVALID_VERSION', 'malformed-version'],
    ['HPE_INVALID_STATUS', 'malformed-status'],
    ['HPE_HEADER_OVERFLOW', 'headers-too-large'],
    ['HPE_INVALID_CONTENT_LENGTH', 'malformed-content-length'],
    ['HPE_UNEXPECTED_CONTENT_LENGTH', 'malformed-content-length'],
    ['HPE_INVALID_HEADER_TOKEN', 'malformed-header'],
    ['HPE_CR_EXPECTED', 'malformed-response'],
    ['EPROTO', 'tls-failure'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate-name-mismatch'],
    ['CERT_NOT_YET_VALID', 'certificate-not-yet-valid'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate-untrusted'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate-untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate-untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate-chain-incomplete'],
    ['CA_CERTIFICATE_KEY_TOO_WEAK', 'certificate-too-weak'],
    ['CA_SIGNATURE_DIGEST_ALGORITHM_TOO_WEAK', 'certificate-too-weak'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'client-certificate-required'],
    ['ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE', 'tls-handshake-refused'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls-version-unsupported'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'tls-version-unsupported'],
    ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'certificate-missing'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls-missing'],
  ])('has the reason of a known code: %s', (code, reason) => {
    expect(resultOfFault(fault(code), false)).toEqual({ kind: 'unanswered', reason, code });
  });

  it.each([
    ['EMFILE', fault('EMFILE'), 'EMFILE'],
    ['EADDRNOTAVAIL', fault('EADDRNOTAVAIL'), 'EADDRNOTAVAIL'],
    ['ERR_ASSERTION', fault('ERR_ASSERTION'), 'ERR_ASSERTION'],
    ['an error without a code', new SyntaxError('no good'), 'SyntaxError'],
    ['no error at all', 'oops', 'string'],
  ])('is transient and marked when nobody knows the fault: %s', (_what, unknown, code) => {
    const result = resultOfFault(unknown, false);
    expect(result).toEqual({
      kind: 'unanswered',
      reason: 'connection-failed',
      code,
      isUnknown: true,
    });
    expect(classify(result).class).toBe('transient');
  });

  it.each([
    ['CERT_HAS_EXPIRED', '', 'certificate-expired', 'CERT_HAS_EXPIRED'],
    ['CERT_REVOKED', 'certificate revoked', 'tls-failure', 'CERT_REVOKED'],
    ['OF_A_LATER_OPENSSL', 'whatever it is', 'tls-failure', 'OF_A_LATER_OPENSSL'],
    [
      'UNSPECIFIED',
      'EE certificate key too weak',
      'certificate-too-weak',
      'EE_CERTIFICATE_KEY_TOO_WEAK',
    ],
    ['UNSPECIFIED', '', 'tls-failure', 'UNSPECIFIED'],
  ])('is one of TLS during the handshake: %s, %s', (code, message, reason, shown) => {
    const result = { kind: 'unanswered', reason, code: shown };
    expect(resultOfFault(fault(code, message), true)).toEqual(result);
  });

  it('is no TLS failure when the connection breaks during the handshake', () => {
    expect(resultOfFault(fault('ECONNRESET'), true)).toMatchObject({ reason: 'connection-failed' });
  });

  it.each([
    ['ENOTFOUND', 'ENOTFOUND'],
    ['EAI_AGAIN', 'EAI_AGAIN'],
    ['ECONNREFUSED', 'ECONNREFUSED'],
    ['ECANCELLED', 'ETIMEOUT'],
  ])('is a DNS failure when the name was not resolved: %s', (code, shown) => {
    expect(resultOfFault(new NameUnresolved(fault(code)), false)).toEqual({
      kind: 'unanswered',
      reason: 'dns-failure',
      code: shown,
    });
  });

  it('is the refusal of the guard', () => {
    const refused = { kind: 'unanswered', reason: 'address-refused' };
    expect(resultOfFault(new AddressRefused(), false)).toEqual(refused);
  });
});
