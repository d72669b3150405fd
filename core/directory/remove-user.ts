import { inChunks } from '../in-chunks.ts';
import type { IssuedToken, TokenCredentials, TokenList } from './access-token.ts';
import type { SignInAccounts } from './identify-user.ts';
import type { Identities, IdentityList } from './sign-in.ts';
import {
  existingUser,
  type User,
  type Users,
  type WritableSignatures,
  type WritableUserList,
} from './user.ts';

export interface UserRemovalPorts {
  readonly users: Users;
  readonly userList: WritableUserList;
  readonly signatures: WritableSignatures;
  readonly identityList: IdentityList;
  readonly identities: Identities;
  readonly list: TokenList;
  readonly credentials: TokenCredentials;
  readonly now: () => Date;
}

/** The user pool of the deployment; undefined if it has none. */
export type UserPool = Pick<SignInAccounts, 'remove'> | undefined;

interface Belongings {
  readonly signIns: number;
  readonly signatures: number;
}

/** Tokens include those that were revoked. */
export interface UserCounts extends Belongings {
  readonly tokens: number;
}

/** What a removal would remove. Throws `AdministrationError` for an unknown user. */
export const buildCountUser =
  (ports: UserRemovalPorts) =>
  async (id: string): Promise<{ user: User; counts: UserCounts }> => {
    const user = await existingUser(ports.users, id);
    const tokens = await tokensOf([user], ports);
    return { user, counts: { tokens: tokens.length, ...(await countBelongings(user, ports)) } };
  };

/**
 * Removes a user, with sign-ins, signature and tokens. Throws `AdministrationError` for an unknown
 * user. The user is removed last, so that the command can be repeated. Tokens issued meanwhile are
 * erased afterwards; issuing reads the user again, so no token follows.
 */
export const buildRemoveUser =
  (ports: UserRemovalPorts) =>
  async (id: string, pool?: UserPool): Promise<User> => {
    const user = await existingUser(ports.users, id);
    await removeBelongings(user, ports, pool);
    await eraseTokens(await tokensOf([user], ports), ports);
    await ports.userList.remove(user);
    await ports.users.remove(id);
    await eraseTokens(await tokensOf([user], ports), ports);
    return user;
  };

export const countBelongings = async (
  { id }: User,
  ports: UserRemovalPorts,
): Promise<Belongings> => {
  const [identities, hasSignature] = await Promise.all([
    ports.identityList.listOf(id),
    ports.signatures.has(id),
  ]);
  return { signIns: identities.length, signatures: Number(hasSignature) };
};

/**
 * A person's entry in the user pool goes before the identity that names it. An identity that was
 * listed and is another user's stays with that user.
 */
export const removeBelongings = async (
  user: User,
  ports: UserRemovalPorts,
  pool: UserPool,
): Promise<void> => {
  for (const identity of await ports.identityList.listOf(user.id)) {
    if ((await ports.identities.ownerOf(identity)) === user.id) await pool?.remove(identity);
    await ports.identities.remove(user.id, identity);
    await ports.identityList.remove(user.id, identity);
  }
  await ports.signatures.remove(user.id);
};

/** The tokens of users of one organisation. */
export const tokensOf = async (
  users: readonly User[],
  { list }: Pick<UserRemovalPorts, 'list'>,
): Promise<readonly IssuedToken[]> => {
  const [first] = users;
  if (first === undefined) return [];
  const ids = new Set(users.map(({ id }) => id));
  return (await list.listOf(first.primaryAccount)).filter(({ user }) => ids.has(user));
};

const TOKENS_AT_ONCE = 100;

/** Much longer than a token is being issued: until then its hash stays invalid. */
const INVALID_FOR_MS = 24 * 3_600_000;

/** Ends the tokens, then removes them from the list. */
export const eraseTokens = async (
  tokens: readonly IssuedToken[],
  { list, credentials, now }: Pick<UserRemovalPorts, 'list' | 'credentials' | 'now'>,
): Promise<void> => {
  for (const some of inChunks(tokens, TOKENS_AT_ONCE)) {
    await credentials.erase(some, {
      revokedAt: now(),
      expiresAt: new Date(now().getTime() + INVALID_FOR_MS),
    });
    await list.remove(some);
  }
};
