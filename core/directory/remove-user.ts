import type { IssuedToken, TokenCredentials, TokenList } from './issued-token.ts';
import { revokeListed } from './revoke-token.ts';
import type { WritableSignatures } from './set-signature.ts';
import type { Identities, IdentityList } from './sign-in.ts';
import { existingUser, type User, type Users, type WritableUserList } from './user.ts';

interface RemovalPorts {
  readonly users: Users;
  readonly userList: WritableUserList;
  readonly signatures: WritableSignatures;
  readonly identityList: IdentityList;
  readonly identities: Identities;
  readonly list: TokenList;
  readonly credentials: TokenCredentials;
  readonly now: () => Date;
}

/**
 * Removes a user: nobody signs in as the user any more, and the user's tokens are revoked. Throws
 * `AdministrationError` for an unknown user.
 *
 * The user goes last. A process that dies before leaves a user that can be removed again. What was
 * issued to the user in the meantime is revoked after that; issuing looks for the user once more, so
 * that no token comes later.
 */
export const buildRemoveUser =
  (ports: RemovalPorts) =>
  async (id: string): Promise<User> => {
    const user = await existingUser(ports.users, id);
    for (const identity of await ports.identityList.listOf(id)) {
      await ports.identities.remove(id, identity);
      await ports.identityList.remove(id, identity);
    }
    await revokeAllOf(user, ports);
    await ports.signatures.remove(id);
    await ports.userList.remove(user);
    await ports.users.remove(id);
    await revokeAllOf(user, ports);
    return user;
  };

const revokeAllOf = async ({ id, primaryAccount }: User, ports: RemovalPorts): Promise<void> => {
  const isValid = ({ user, revokedAt }: IssuedToken) => user === id && revokedAt === undefined;
  for (const token of (await ports.list.listOf(primaryAccount)).filter(isValid)) {
    await revokeListed(token, ports);
  }
};
