import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accessTokenFrom,
  bearerIn,
  hashAccessToken,
  isAccessToken,
} from '../../../core/directory/access-token.ts';
import { type AccessTokens, buildAuthenticate } from '../../../core/directory/authenticate.ts';
import type { SignInIdentity, SignInTokens } from '../../../core/directory/sign-in.ts';
import type { Principal, User } from '../../../core/directory/user.ts';
import { InMemoryAccessTokens } from '../../support/directory/in-memory-access-tokens.ts';
import { inMemoryDirectory } from '../../support/directory/in-memory-directory.ts';
import { untouchable } from '../../support/untouchable.ts';

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

const PRINCIPAL: Principal = { user: 'usr_1', account: 'acme', role: 'admin' };

type Ports = Parameters<typeof buildAuthenticate>[0];

/** At noon, unless told otherwise; every use can be noted. */
const authenticating = (ports: Pick<Ports, 'tokens'> & Partial<Ports>) =>
  buildAuthenticate({
    now: () => new Date('2026-11-20T12:00:00.000Z'),
    onUnnotedUse: (fault) => {
      throw fault;
    },
    ...ports,
  });

describe('authenticating by an access token', () => {
  it('knows whom an issued token speaks for', async () => {
    const tokens = new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL);
    expect(await authenticating({ tokens })(`Bearer ${TOKEN}`)).toEqual(PRINCIPAL);
  });

  it('knows nobody by a token that was revoked or never issued', async () => {
    const tokens = new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL);
    const authenticate = authenticating({ tokens });
    tokens.shutOut(TOKEN);
    expect(await authenticate(`Bearer ${TOKEN}`)).toBeUndefined();
    expect(await authenticate(`Bearer ${accessTokenFrom(randomBytes(32))}`)).toBeUndefined();
  });

  it('knows nobody by a token from the instant at which it expires', async () => {
    const expiring = { ...PRINCIPAL, expiresAt: '2026-11-20T12:00:00.001Z' };
    const tokens = new InMemoryAccessTokens().issue(TOKEN, expiring);
    const at = (instant: string) =>
      authenticating({ tokens, now: () => new Date(instant) })(`Bearer ${TOKEN}`);

    expect(await at('2026-11-20T12:00:00.000Z')).toEqual(expiring);
    expect(await at('2026-11-20T12:00:00.001Z')).toBeUndefined();
    expect(await at('2027-11-20T12:00:00.000Z')).toBeUndefined();
  });

  it('does not look for a token that cannot be one', async () => {
    const tokens = untouchable<AccessTokens>('the store of tokens');
    expect(await authenticating({ tokens })('Bearer mst_short')).toBeUndefined();
  });
});

describe('the last use of an access token', () => {
  const lastUse = async (tokens: InMemoryAccessTokens) =>
    (await tokens.lastUsesOf([hashAccessToken(TOKEN)]))[0];

  it('is noted at the first use, and then once an hour', async () => {
    const tokens = new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL);
    const useAt = async (instant: string) => {
      const authenticate = authenticating({ tokens, now: () => new Date(instant) });
      expect(await authenticate(`Bearer ${TOKEN}`)).toEqual(PRINCIPAL);
      return lastUse(tokens);
    };
    expect(await lastUse(tokens)).toBeUndefined();
    expect(await useAt('2026-11-20T12:00:00.000Z')).toBe('2026-11-20T12:00:00.000Z');
    expect(await useAt('2026-11-20T12:59:59.999Z')).toBe('2026-11-20T12:00:00.000Z');
    expect(await useAt('2026-11-20T13:00:00.000Z')).toBe('2026-11-20T13:00:00.000Z');
  });

  it('costs no write within the hour', async () => {
    const tokens = new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL);
    await authenticating({ tokens })(`Bearer ${TOKEN}`);
    tokens.noteUse = () => Promise.reject(new Error('a write'));
    expect(await authenticating({ tokens })(`Bearer ${TOKEN}`)).toEqual(PRINCIPAL);
  });

  it('is not that of a token that was refused', async () => {
    const tokens = new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL);
    tokens.shutOut(TOKEN);
    await authenticating({ tokens })(`Bearer ${TOKEN}`);
    expect(await lastUse(tokens)).toBeUndefined();
  });

  it('refuses nobody when it cannot be noted, and tells why', async () => {
    const tokens = new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL);
    tokens.noteUse = () => Promise.reject(new Error('throttled'));
    const faults: unknown[] = [];
    const authenticate = authenticating({ tokens, onUnnotedUse: (fault) => faults.push(fault) });
    expect(await authenticate(`Bearer ${TOKEN}`)).toEqual(PRINCIPAL);
    expect(faults).toEqual([new Error('throttled')]);
  });
});

const JWT = 'header.claims.signature';
const IDENTITY: SignInIdentity = { issuer: 'https://id.example.com', subject: 'sub-ada' };
const ADA: User = {
  id: 'ada',
  account: 'acme',
  primaryAccount: 'acme',
  role: 'admin',
  createdAt: '2026-11-20T12:00:00.000Z',
};

/** A Directory with `user` under `IDENTITY`, and sign-in tokens of which `JWT` alone is genuine. */
const withSignedIn = async (user: User) => {
  const { users, identities } = inMemoryDirectory();
  await users.add(user);
  await identities.add(user.id, IDENTITY);
  const signInTokens: SignInTokens = {
    verify: async (jwt) => (jwt === JWT ? IDENTITY : undefined),
  };
  const authenticate = authenticating({
    tokens: untouchable<AccessTokens>('the store of tokens'),
    signIn: { tokens: signInTokens, users: identities },
  });
  return { authenticate, users, identities };
};

describe('authenticating by the token of a sign-in', () => {
  it.each([
    ['with the role that the user has', 'acme', 'admin', 'admin'],
    ['as a member of the organisation from an account below', 'acme-sms', 'member', 'member'],
    ['as no admin from an account below, whatever the item says', 'acme-sms', 'admin', 'member'],
  ] as const)('knows the user %s', async (_case, account, stored, role) => {
    const { authenticate } = await withSignedIn({ ...ADA, account, role: stored });
    expect(await authenticate(`Bearer ${JWT}`)).toEqual({ user: 'ada', account: 'acme', role });
  });

  it('knows nobody by a token that is not genuine', async () => {
    const { authenticate } = await withSignedIn(ADA);
    expect(await authenticate('Bearer header.claims.forged')).toBeUndefined();
  });

  it('knows nobody by an identity that no user has', async () => {
    const { authenticate, identities } = await withSignedIn(ADA);
    await identities.remove('ada', IDENTITY);
    expect(await authenticate(`Bearer ${JWT}`)).toBeUndefined();
  });

  it('knows nobody by the identity of a removed user', async () => {
    const { authenticate, users } = await withSignedIn(ADA);
    await users.remove(ADA);
    expect(await authenticate(`Bearer ${JWT}`)).toBeUndefined();
  });

  it('does not work where nobody can sign in', async () => {
    const tokens = untouchable<AccessTokens>('the store of tokens');
    expect(await authenticating({ tokens })(`Bearer ${JWT}`)).toBeUndefined();
  });

  it('leaves an access token of ours to the store of tokens', async () => {
    const authenticate = authenticating({
      tokens: new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL),
      signIn: {
        tokens: untouchable<SignInTokens>('the sign-in'),
        users: inMemoryDirectory().identities,
      },
    });
    expect(await authenticate(`Bearer ${TOKEN}`)).toEqual(PRINCIPAL);
  });
});
