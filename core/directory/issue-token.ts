import { accessTokenFrom, hashAccessToken } from './access-token.ts';
import { AdministrationError } from './administration-error.ts';
import {
  type IssuedToken,
  TOKEN_NAME,
  type TokenCredentials,
  type TokenList,
} from './issued-token.ts';
import type { Role } from './principal.ts';
import { revokeListed } from './revoke-token.ts';
import { existingUser, roleOf, type Users } from './user.ts';

export interface NewToken {
  /** The token itself, which is stored nowhere: after this only its owner has it. */
  readonly token: string;
  readonly issued: IssuedToken;
}

/**
 * Makes a token for a user, in the user's primary account. Throws `AdministrationError` for an
 * unknown user, for an admin's token of a user who is not an admin of the organisation, for a name
 * that is not printable, and when the token is revoked while it is being issued.
 *
 * The token is listed first, then made valid. A process that dies between the two leaves a listed
 * token that nobody has and that is not valid. In the opposite order it would leave a valid token
 * that is not listed. A user who is removed meanwhile gets no token: either the removal finds the
 * token in the list, or the user is not found after the token was made valid.
 */
export const buildIssueToken =
  (ports: {
    users: Users;
    list: TokenList;
    credentials: TokenCredentials;
    now: () => Date;
    randomBytes: (size: number) => Buffer;
  }) =>
  async (userId: string, role: Role, name: string): Promise<NewToken> => {
    if (!TOKEN_NAME.test(name)) {
      throw new AdministrationError('A token is called by 1 to 100 printable characters.');
    }
    const user = await existingUser(ports.users, userId);
    if (role === 'admin' && roleOf(user) !== 'admin') {
      throw new AdministrationError(
        `User "${userId}" is not an admin of "${user.primaryAccount}": issue a token of role member.`,
      );
    }
    const token = accessTokenFrom(ports.randomBytes(32));
    const issued: IssuedToken = {
      id: `tok_${ports.randomBytes(8).toString('hex')}`,
      name,
      hash: hashAccessToken(token),
      user: user.id,
      account: user.primaryAccount,
      role,
      createdAt: ports.now().toISOString(),
    };
    await ports.list.add(issued);
    const isAdded = (await ports.credentials.add(issued)) === 'added';
    if ((await ports.users.find(userId)) === undefined) await revokeListed(issued, ports);
    else if (isAdded) return { token, issued };
    throw new AdministrationError(
      `Token ${issued.id} was revoked while it was being issued: issue another.`,
    );
  };
