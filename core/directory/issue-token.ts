import { AdministrationError } from './administration-error.ts';
import { TOKEN_NAME } from './issued-token.ts';
import {
  buildMakeToken,
  mayHaveToken,
  type NewToken,
  type TokenMakingPorts,
} from './make-token.ts';
import type { Role } from './principal.ts';
import { existingUser, type Users } from './user.ts';

/**
 * Makes a token for a user, in the user's primary account. Throws `AdministrationError` for an
 * unknown user, for an admin's token of a user who is not an admin of the organisation, for a name
 * that is not printable, and when the token is revoked while it is being issued.
 */
export const buildIssueToken = (ports: TokenMakingPorts & { readonly users: Users }) => {
  const makeToken = buildMakeToken(ports);
  return async (userId: string, role: Role, name: string): Promise<NewToken> => {
    if (!TOKEN_NAME.test(name)) {
      throw new AdministrationError('A token is called by 1 to 100 printable characters.');
    }
    const user = await existingUser(ports.users, userId);
    if (!mayHaveToken(user, role)) {
      throw new AdministrationError(
        `User "${userId}" is not an admin of "${user.primaryAccount}": issue a token of role member.`,
      );
    }
    const { token, issued, isValid } = await makeToken(user, { role, name });
    if (isValid) return { token, issued };
    throw new AdministrationError(
      `Token ${issued.id} was revoked while it was being issued: issue another.`,
    );
  };
};
