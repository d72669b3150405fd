import type { IssuedToken, IssuedTokens } from './access-token.ts';
import type { SignInAccounts } from './identify-user.ts';
import type { Identities } from './sign-in.ts';
import { existingUser, type User, type Users, type WritableSignatures } from './user.ts';

export interface UserRemovalPorts {
  readonly users: Users;
  readonly signatures: WritableSignatures;
  readonly identities: Identities;
  readonly tokens: IssuedTokens;
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
 * removed afterwards; issuing reads the user again, so no token follows.
 */
export const buildRemoveUser =
  (ports: UserRemovalPorts) =>
  async (id: string, pool?: UserPool): Promise<User> => {
    const user = await existingUser(ports.users, id);
    await removeBelongings(user, ports, pool);
    await ports.tokens.remove(await tokensOf([user], ports));
    await ports.users.remove(user);
    await ports.tokens.remove(await tokensOf([user], ports));
    return user;
  };

export const countBelongings = async (
  { id }: User,
  ports: UserRemovalPorts,
): Promise<Belongings> => {
  const [identities, hasSignature] = await Promise.all([
    ports.identities.listOf(id),
    ports.signatures.has(id),
  ]);
  return { signIns: identities.length, signatures: Number(hasSignature) };
};

/** A person's entry in the user pool goes before the identity that names it. */
export const removeBelongings = async (
  user: User,
  ports: UserRemovalPorts,
  pool: UserPool,
): Promise<void> => {
  for (const identity of await ports.identities.listOf(user.id)) {
    await pool?.remove(identity);
    await ports.identities.remove(user.id, identity);
  }
  await ports.signatures.remove(user.id);
};

/** The tokens of users of one organisation. */
export const tokensOf = async (
  users: readonly User[],
  { tokens }: Pick<UserRemovalPorts, 'tokens'>,
): Promise<readonly IssuedToken[]> => {
  const [first] = users;
  if (first === undefined) return [];
  const ids = new Set(users.map(({ id }) => id));
  return (await tokens.listOf(first.primaryAccount)).filter(({ user }) => ids.has(user));
};
