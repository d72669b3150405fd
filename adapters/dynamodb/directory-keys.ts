import type { SignInIdentity } from '../../core/directory/sign-in.ts';

/**
 * Keys of table Directory, one function for each kind of item:
 *
 * | item | pk | sk |
 * |---|---|---|
 * | account | `ACCOUNT#<name>` | `ACCOUNT` |
 * | an account's token, for listing | `ACCOUNT#<name>` | `TOKEN#<token id>` |
 * | idempotency record (TTL) | `ACCOUNT#<name>` | `IDEMPOTENCY#<key>` |
 * | an account of an organisation, for listing | `ACCOUNT#<primary account>` | `CHILD#<name>` |
 * | an account's user, for listing | `ACCOUNT#<name>` | `USER#<id>` |
 * | user | `USER#<id>` | `USER` |
 * | a user's signature | `USER#<id>` | `SIGNATURE` |
 * | a user's identity, for removing | `USER#<id>` | `IDENTITY#<issuer>#<subject>` |
 * | identity, for signing in | `IDENTITY#<issuer>#<subject>` | `IDENTITY` |
 * | access token, for authentication | `TOKEN#<sha-256>` | `TOKEN` |
 */
export const accountKey = (name: string) => ({ pk: `ACCOUNT#${name}`, sk: 'ACCOUNT' });

export const ACCOUNT_TOKEN_PREFIX = 'TOKEN#';

export const accountTokenKey = (account: string, tokenId: string) => ({
  pk: `ACCOUNT#${account}`,
  sk: `${ACCOUNT_TOKEN_PREFIX}${tokenId}`,
});

export const CHILD_ACCOUNT_PREFIX = 'CHILD#';

export const childAccountKey = (primaryAccount: string, name: string) => ({
  pk: `ACCOUNT#${primaryAccount}`,
  sk: `${CHILD_ACCOUNT_PREFIX}${name}`,
});

export const ACCOUNT_USER_PREFIX = 'USER#';

export const accountUserKey = (account: string, id: string) => ({
  pk: `ACCOUNT#${account}`,
  sk: `${ACCOUNT_USER_PREFIX}${id}`,
});

export const idempotencyKey = (account: string, key: string) => ({
  pk: `ACCOUNT#${account}`,
  sk: `IDEMPOTENCY#${key}`,
});

export const userKey = (id: string) => ({ pk: `USER#${id}`, sk: 'USER' });

export const signatureKey = (user: string) => ({ pk: `USER#${user}`, sk: 'SIGNATURE' });

export const tokenKey = (hash: string) => ({ pk: `TOKEN#${hash}`, sk: 'TOKEN' });

/** An issuer has no `#`: issuer and subject can be told apart. */
const nameOf = ({ issuer, subject }: SignInIdentity) => `IDENTITY#${issuer}#${subject}`;

export const identityKey = (identity: SignInIdentity) => ({
  pk: nameOf(identity),
  sk: 'IDENTITY',
});

export const USER_IDENTITY_PREFIX = 'IDENTITY#';

export const userIdentityKey = (user: string, identity: SignInIdentity) => ({
  pk: `USER#${user}`,
  sk: nameOf(identity),
});
