import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accessTokenFrom,
  bearerToken,
  hashAccessToken,
} from '../../../core/directory/access-token.ts';
import { type AccessTokens, buildAuthenticate } from '../../../core/directory/authenticate.ts';
import type { Principal } from '../../../core/directory/principal.ts';
import { InMemoryAccessTokens } from '../../support/directory/in-memory-access-tokens.ts';
import { untouchable } from '../../support/untouchable.ts';

const TOKEN = accessTokenFrom(Buffer.alloc(32, 0xfb));
const PRINCIPAL: Principal = { user: 'usr_1', account: 'acme', role: 'admin' };

describe('an access token', () => {
  it('is mst_ and 43 base64url characters', () => {
    expect(TOKEN).toMatch(/^mst_[A-Za-z0-9_-]{43}$/);
  });

  it('is found in the header that carries it, whatever its bits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bits) => {
        const token = accessTokenFrom(Buffer.from(bits));
        expect(bearerToken(`Bearer ${token}`)).toBe(token);
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
    expect(bearerToken(header)).toBe(TOKEN);
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
  ])('carries no token as %j', (header) => {
    expect(bearerToken(header)).toBeUndefined();
  });

  it('never makes reading it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        expect(bearerToken(header)).toBeUndefined();
      }),
    );
  });
});

describe('authenticating', () => {
  it('knows whom an issued token speaks for', async () => {
    const tokens = new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL);
    expect(await buildAuthenticate({ tokens })(`Bearer ${TOKEN}`)).toEqual(PRINCIPAL);
  });

  it('knows nobody by a token that was revoked or never issued', async () => {
    const tokens = new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL);
    const authenticate = buildAuthenticate({ tokens });
    tokens.revoke(TOKEN);
    expect(await authenticate(`Bearer ${TOKEN}`)).toBeUndefined();
    expect(await authenticate(`Bearer ${accessTokenFrom(randomBytes(32))}`)).toBeUndefined();
  });

  it('does not look for a token that cannot be one', async () => {
    const tokens = untouchable<AccessTokens>('the store of tokens');
    expect(await buildAuthenticate({ tokens })('Bearer mst_short')).toBeUndefined();
  });
});
