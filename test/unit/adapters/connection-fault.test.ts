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
    ['HPE_INVALID_CONSTANT', 'malformed-response'],
    ['EPROTO', 'tls-failure'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls-failure'],
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
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'CERT_HAS_EXPIRED'],
    ['CERT_REVOKED', 'certificate revoked', 'CERT_REVOKED'],
    ['OF_A_LATER_OPENSSL', 'whatever it is', 'OF_A_LATER_OPENSSL'],
    ['UNSPECIFIED', 'EE certificate key too weak', 'EE_CERTIFICATE_KEY_TOO_WEAK'],
    ['UNSPECIFIED', '', 'UNSPECIFIED'],
  ])('is a TLS failure during the handshake: %s, %s', (code, message, shown) => {
    expect(resultOfFault(fault(code, message), true)).toEqual({
      kind: 'unanswered',
      reason: 'tls-failure',
      code: shown,
    });
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
