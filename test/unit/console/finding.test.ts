import { describe, expect, it } from 'vitest';
import { findingOf, statusInWords } from '../../../console/src/pages/webhook/finding.ts';
import { REASONS } from '../../../core/delivery/attempt.ts';

describe('what the endpoint did', () => {
  it('names the status by number and name', () => {
    expect(findingOf({ statusCode: 500 }).what).toBe(
      'your endpoint answered 500 (Internal Server Error)',
    );
    expect(statusInWords(503)).toBe('503 Service Unavailable');
  });

  it('names a status without a common name by its number', () => {
    expect(findingOf({ statusCode: 599 }).what).toBe('your endpoint answered 599');
    expect(statusInWords(599)).toBe('599');
  });

  it.each([
    [301, /Redirects are not followed/],
    [401, /signing secret/],
    [403, /firewall/],
    [404, /path of the Endpoint URL/],
    [405, /does not take POST/],
    [410, /gone for good/],
    [413, /256 KiB/],
    [429, /limits how often/],
    [418, /refused the request/],
    [500, /logs at the time of the attempt/],
    [502, /proxy in front/],
    [503, /overloaded or being deployed/],
    [504, /Answer 2xx first/],
    [522, /Cloudflare/],
    [101, /Only a 2xx confirms/],
  ])('says what to do about %i', (statusCode, advice) => {
    expect(findingOf({ statusCode }).advice).toMatch(advice);
  });

  it.each(Object.values(REASONS))('says what to do when %s', (reason) => {
    const { what, advice } = findingOf({ reason });
    expect(what).toMatch(/^[a-z0-9]/);
    expect(advice).toMatch(/\.$/);
    expect(advice).not.toMatch(/Send a test to see/);
  });

  it.each([
    ['CERT_HAS_EXPIRED', /expired\. Renew/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /another host name/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /public authority/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /whole chain/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /Check the certificate of the host/],
  ])('says what to do about a certificate by the code %s', (code, advice) => {
    expect(findingOf({ reason: REASONS['tls-failure'], code }).advice).toMatch(advice);
  });

  it('shows a reason that it does not know as it is', () => {
    expect(findingOf({ reason: 'the moon was full' }).what).toBe('the moon was full');
  });
});
