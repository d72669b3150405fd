import {
  accessTokenFrom,
  hashAccessToken,
  type IssuedToken,
  type TokenCredentials,
  type TokenList,
} from './access-token.ts';
import { type Role, roleOf, type User, type Users } from './user.ts';

export interface NewToken {
  /** The token itself, which is not stored: from now on only its owner has it. */
  readonly token: string;
  readonly issued: IssuedToken;
}

export interface TokenMakingPorts {
  readonly users: Pick<Users, 'find'>;
  readonly list: TokenList;
  readonly credentials: TokenCredentials;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Buffer;
}

/** Whether a user may have a token of a role: `admin` only for an admin of the organisation. */
export const mayHaveToken = (user: User, role: Role): boolean =>
  role === 'member' || roleOf(user) === 'admin';

/**
 * Makes a token in the user's primary account. `isValid` is false when it was revoked or the user
 * removed meanwhile. The token is listed first, then made valid, so that no valid token is
 * unlisted. The user is read again at the end: a removed user has no token.
 */
export const buildMakeToken =
  (ports: TokenMakingPorts) =>
  async (
    user: User,
    { role, name, expiresAt }: Pick<IssuedToken, 'role' | 'name' | 'expiresAt'>,
  ): Promise<NewToken & { readonly isValid: boolean }> => {
    const token = accessTokenFrom(ports.randomBytes(32));
    const createdAt = ports.now();
    const issued: IssuedToken = {
      id: tokenId(createdAt, ports.randomBytes(3)),
      hash: hashAccessToken(token),
      name,
      user: user.id,
      account: user.primaryAccount,
      role,
      createdAt: createdAt.toISOString(),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    await ports.list.add(issued);
    const isAdded = (await ports.credentials.add(issued)) === 'added';
    const isThere = (await ports.users.find(user.id)) !== undefined;
    if (!isThere) await revokeListed(issued, ports);
    return { token, issued, isValid: isAdded && isThere };
  };

/** Ids sort by time, so that a list reads a page alone: 44 bits of milliseconds, 20 random ones. */
const tokenId = (createdAt: Date, random: Buffer): string =>
  `tok_${createdAt.getTime().toString(16).padStart(11, '0')}${random.toString('hex').slice(1)}`;

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
