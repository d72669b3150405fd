import { type Accounts, existingAccount } from './account.ts';
import { AdministrationError } from './administration-error.ts';
import { USER_ID } from './get-signature.ts';
import type { Role } from './principal.ts';
import { existingUser, roleOf, type User, type Users, type WritableUserList } from './user.ts';

/**
 * Creates a user of an account. Throws `AdministrationError` for an id that is not valid or in use,
 * for an unknown account, and for an admin of an account that has a parent.
 *
 * The user is created first, then listed under the account. A process that dies between the two
 * leaves a user that is not listed, and creating the user again lists the user. In the opposite
 * order an account would show a user that does not exist.
 */
export const buildCreateUser =
  (ports: { accounts: Accounts; users: Users; userList: WritableUserList; now: () => Date }) =>
  async (id: string, accountName: string, role: Role = 'member'): Promise<User> => {
    if (!USER_ID.test(id)) {
      throw new AdministrationError(`"${id}" cannot be a user's id: 1 to 64 of A-Z a-z 0-9 _ -.`);
    }
    const account = await existingAccount(ports.accounts, accountName);
    const user: User = {
      id,
      account: account.name,
      primaryAccount: account.primaryAccount,
      role,
      createdAt: ports.now().toISOString(),
    };
    if (roleOf(user) !== role) {
      throw new AdministrationError(
        `An admin is a user of the organisation's account: name "${user.primaryAccount}", not "${user.account}".`,
      );
    }
    const outcome = await ports.users.add(user);
    await ports.userList.put(outcome === 'added' ? user : await existingUser(ports.users, id));
    if (outcome === 'added') return user;
    throw new AdministrationError(`There is a user "${id}" already.`);
  };
