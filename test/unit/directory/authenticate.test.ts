import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { accessTokenFrom } from '../../../core/directory/access-token.ts';
import { type AccessTokens, buildAuthenticate } from '../../../core/directory/authenticate.ts';
import type { Principal } from '../../../core/directory/principal.ts';
import type { SignInIdentity, SignInTokens } from '../../../core/directory/sign-in.ts';
import type { User } from '../../../core/directory/user.ts';
import { InMemoryAccessTokens } from '../../support/directory/in-memory-access-tokens.ts';
import { inMemoryDirectory } from '../../support/directory/in-memory-directory.ts';
import { untouchable } from '../../support/untouchable.ts';

const TOKEN = accessTokenFrom(Buffer.alloc(32, 0xfb));
const PRINCIPAL: Principal = { user: 'usr_1', account: 'acme', role: 'admin' };

describe('authenticating by an access token', () => {
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
  const authenticate = buildAuthenticate({
    tokens: untouchable<AccessTokens>('the store of tokens'),
    signIn: { tokens: signInTokens, users: identities },
  });
  return { authenticate, users, identities };
};

describe('authenticating by the token of a sign-in', () => {
  it('knows the user whose identity signed in, and the role that the user has', async () => {
    const { authenticate } = await withSignedIn(ADA);
    expect(await authenticate(`Bearer ${JWT}`)).toEqual({
      user: 'ada',
      account: 'acme',
      role: 'admin',
    });
  });

  it('knows a user of an account below as a member of the organisation', async () => {
    const { authenticate } = await withSignedIn({ ...ADA, account: 'acme-sms', role: 'member' });
    expect(await authenticate(`Bearer ${JWT}`)).toEqual({
      user: 'ada',
      account: 'acme',
      role: 'member',
    });
  });

  it('makes no admin of a user of an account below, whatever the user’s item says', async () => {
    const { authenticate } = await withSignedIn({ ...ADA, account: 'acme-sms', role: 'admin' });
    expect(await authenticate(`Bearer ${JWT}`)).toMatchObject({ role: 'member' });
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
    await users.remove('ada');
    expect(await authenticate(`Bearer ${JWT}`)).toBeUndefined();
  });

  it('does not work where nobody can sign in', async () => {
    const tokens = untouchable<AccessTokens>('the store of tokens');
    expect(await buildAuthenticate({ tokens })(`Bearer ${JWT}`)).toBeUndefined();
  });

  it('leaves an access token of ours to the store of tokens', async () => {
    const authenticate = buildAuthenticate({
      tokens: new InMemoryAccessTokens().issue(TOKEN, PRINCIPAL),
      signIn: {
        tokens: untouchable<SignInTokens>('the sign-in'),
        users: inMemoryDirectory().identities,
      },
    });
    expect(await authenticate(`Bearer ${TOKEN}`)).toEqual(PRINCIPAL);
  });
});
