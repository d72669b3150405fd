import { accessTokenFrom, hashAccessToken } from './access-token.ts';
import { AdministrationError } from './administration-error.ts';
import type { IssuedToken, TokenCredentials, TokenList } from './issued-token.ts';
import type { Role } from './principal.ts';
import { existingUser, type Users } from './user.ts';

export interface NewToken {
  /** The token itself: this is the only time it exists outside its owner's hands. */
  readonly token: string;
  readonly issued: IssuedToken;
}

/**
 * Makes a token for a user, in the user's primary account. Throws `AdministrationError`.
 *
 * Listed first, then made to work: a process that dies between the two leaves an entry for a token
 * that nobody holds and that opens nothing; the other way round, one that works and cannot be found.
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
