import {
  accessTokenFrom,
  hashAccessToken,
  type IssuedToken,
  type TokenCredentials,
  type TokenList,
} from './access-token.ts';
import { type Role, roleOf, type User, type Users } from './user.ts';

export interface NewToken {
  /** The token itself, which is stored nowhere: after this only its owner has it. */
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

/** Whether a user may have a token of a role: an admin's, only an admin of the organisation. */
export const mayHaveToken = (user: User, role: Role): boolean =>
  role === 'member' || roleOf(user) === 'admin';

/**
 * Makes a token for a user, in the user's primary account. `isValid` is false when the token was
 * revoked, or the user removed, while the token was being made.
 *
 * The token is listed first, then made valid. A process that dies between the two leaves a listed
 * token that nobody has and that is not valid. In the opposite order it would leave a valid token
 * that is not listed. A user who is removed meanwhile gets no token: either the removal finds the
 * token in the list, or the user is not found after the token was made valid.
 */
export const buildMakeToken =
  (ports: TokenMakingPorts) =>
  async (
    user: User,
    { role, name }: Pick<IssuedToken, 'role' | 'name'>,
  ): Promise<NewToken & { readonly isValid: boolean }> => {
    const token = accessTokenFrom(ports.randomBytes(32));
    const issued: IssuedToken = {
      id: `tok_${ports.randomBytes(8).toString('hex')}`,
      hash: hashAccessToken(token),
      name,
      user: user.id,
      account: user.primaryAccount,
      role,
      createdAt: ports.now().toISOString(),
    };
    await ports.list.add(issued);
    const isAdded = (await ports.credentials.add(issued)) === 'added';
    const isThere = (await ports.users.find(user.id)) !== undefined;
    if (!isThere) await revokeListed(issued, ports);
    return { token, issued, isValid: isAdded && isThere };
  };

/** Revokes a token of the list, unless it is revoked. */
export const revokeListed = async (
  token: IssuedToken,
  ports: { list: TokenList; credentials: TokenCredentials; now: () => Date },
): Promise<IssuedToken & { readonly revokedAt: string }> => {
  const revokedAt = token.revokedAt ?? ports.now().toISOString();
  await ports.credentials.revoke(token, revokedAt);
  await ports.list.markRevoked(token, revokedAt);
  return { ...token, revokedAt };
};
