import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accessTokenFrom,
  bearerIn,
  hashAccessToken,
  isAccessToken,
} from '../../../core/directory/access-token.ts';

const TOKEN = accessTokenFrom(Buffer.alloc(32, 0xfb));

describe('an access token', () => {
  it('is mst_ and 43 base64url characters', () => {
    expect(TOKEN).toMatch(/^mst_[A-Za-z0-9_-]{43}$/);
  });

  it('is found in the header that carries it, whatever its bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bits) => {
        const token = accessTokenFrom(Buffer.from(bits));
        expect(bearerIn(`Bearer ${token}`)).toBe(token);
        expect(isAccessToken(token)).toBe(true);
      }),
    );
  });

  it('is kept as its SHA-256 alone', () => {
    // sha256sum of the three letters, FIPS 180-4.
    expect(hashAccessToken('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('the Authorization header', () => {
  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER   ${TOKEN}`])('may be %s', (header) => {
    expect(bearerIn(header)).toBe(TOKEN);
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer${TOKEN}`,
    `Bearer ${TOKEN} `,
    ` Bearer ${TOKEN}`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    `Bearer "${TOKEN}"`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.slice(0, -1)}=`,
    `Bearer ${TOKEN.slice(0, -1)}é`,
    `Bearer ${TOKEN}\n`,
    `Bearer ${TOKEN.replace('mst_', 'MST_')}`,
    `Bearer ${'x'.repeat(100_000)}`,
  ])('carries no access token as %j', (header) => {
    expect(isAccessToken(bearerIn(header) ?? '')).toBe(false);
  });

  it('never makes reading it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        expect(isAccessToken(bearerIn(header) ?? '')).toBe(false);
      }),
    );
  });
});
