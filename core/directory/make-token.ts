import {
  accessTokenFrom,
  hashAccessToken,
  type IssuedToken,
  TOKEN_PREFIX,
  type TokenCredentials,
  type TokenList,
} from './access-token.ts';
import { type Role, roleOf, type User, type Users } from './user.ts';

interface Owner extends Pick<IssuedToken, 'user' | 'account'> {
  /** Whether the owner was not removed meanwhile. */
  readonly isThere: () => Promise<boolean>;
}

export interface NewToken {
  /** The token itself, which is not stored: from now on only its owner has it. */
  readonly token: string;
  readonly issued: IssuedToken;
}

export interface TokenMakingPorts {
  readonly list: TokenList;
  readonly credentials: TokenCredentials;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Buffer;
}

/** Whether a user may have a token of a role: `admin` only for an admin of the organisation. */
export const mayHaveToken = (user: User, role: Role): boolean =>
  role === 'member' || roleOf(user) === 'admin';

/** A user as the owner of a token in the user's primary account. */
export const ownerOf = (
  { id, primaryAccount }: User,
  { users }: { readonly users: Pick<Users, 'find'> },
): Owner => ({
  user: id,
  account: primaryAccount,
  isThere: async () => (await users.find(id)) !== undefined,
});

/**
 * Makes a token. `isValid` is false when it was revoked or its owner removed meanwhile. The token is
 * listed first, then made valid, so that no valid token is unlisted. The owner is looked up at the
 * end: a removed one has no token.
 */
export const buildMakeToken =
  (ports: TokenMakingPorts) =>
  async (
    { user, account, isThere }: Owner,
    {
      role,
      name,
      expiresAt,
      prefix = TOKEN_PREFIX,
    }: Pick<IssuedToken, 'role' | 'name' | 'expiresAt'> & { readonly prefix?: 'tok_' | 'ses_' },
  ): Promise<NewToken & { readonly isValid: boolean }> => {
    const token = accessTokenFrom(ports.randomBytes(32));
    const createdAt = ports.now();
    const issued: IssuedToken = {
      id: prefix + timeOrdered(createdAt, ports.randomBytes(3)),
      hash: hashAccessToken(token),
      name,
      user,
      account,
      role,
      createdAt: createdAt.toISOString(),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    await ports.list.add(issued);
    const isAdded = (await ports.credentials.add(issued)) === 'added';
    const hasOwner = await isThere();
    if (!hasOwner) await revokeListed(issued, ports);
    return { token, issued, isValid: isAdded && hasOwner };
  };

/** Ids sort by time, so that a list reads a page alone: 44 bits of milliseconds, 20 random ones. */
const timeOrdered = (createdAt: Date, random: Buffer): string =>
  `${createdAt.getTime().toString(16).padStart(11, '0')}${random.toString('hex').slice(1)}`;

/** Makes a token invalid, then lists it as revoked: no valid token is listed as revoked. */
export const revokeListed = async (
  token: IssuedToken,
  ports: { list: TokenList; credentials: TokenCredentials; now: () => Date },
): Promise<IssuedToken & { readonly revokedAt: string }> => {
  const revokedAt = token.revokedAt ?? ports.now().toISOString();
  await ports.credentials.revoke(token, revokedAt);
  await ports.list.markRevoked(token, revokedAt);
  return { ...token, revokedAt };
};
