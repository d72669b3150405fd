import { accessTokenFrom, hashAccessToken } from './access-token.ts';
import { AdministrationError } from './administration-error.ts';
import type { IssuedToken, TokenCredentials, TokenList } from './issued-token.ts';
import type { Role } from './principal.ts';
import { existingUser, roleOf, type Users } from './user.ts';

export interface NewToken {
  /** The token itself, which is stored nowhere: after this only its owner has it. */
  readonly token: string;
  readonly issued: IssuedToken;
}

/**
 * Makes a token for a user, in the user's primary account. Throws `AdministrationError` for an
 * unknown user, for an admin's token of a user who is not an admin of the organisation, and when
 * the token is revoked while it is being issued.
 *
 * The token is listed first, then made valid. A process that dies between the two leaves a listed
 * token that nobody has and that is not valid. In the opposite order it would leave a valid token
 * that is not listed.
 */
export const buildIssueToken =
  (ports: {
    users: Users;
    list: TokenList;
    credentials: TokenCredentials;
    now: () => Date;
    randomBytes: (size: number) => Buffer;
  }) =>
  async (userId: string, role: Role): Promise<NewToken> => {
    const user = await existingUser(ports.users, userId);
    if (role === 'admin' && roleOf(user) !== 'admin') {
      throw new AdministrationError(
        `User "${userId}" is not an admin of "${user.primaryAccount}": issue a token of role member.`,
      );
    }
    const token = accessTokenFrom(ports.randomBytes(32));
    const issued: IssuedToken = {
      id: `tok_${ports.randomBytes(8).toString('hex')}`,
      hash: hashAccessToken(token),
      user: user.id,
      account: user.primaryAccount,
      role,
      createdAt: ports.now().toISOString(),
    };
    await ports.list.add(issued);
    if ((await ports.credentials.add(issued)) === 'added') return { token, issued };
    throw new AdministrationError(
      `Token ${issued.id} was revoked while it was being issued: issue another.`,
    );
  };
