import { AdministrationError } from '../refusal.ts';
import { type Accounts, everyPage, existingAccount } from './account.ts';
import {
  existingUser,
  type Role,
  roleOf,
  USER_ID,
  type User,
  type UserList,
  type Users,
} from './user.ts';

/**
 * Throws `AdministrationError` for an id that is not valid or in use, an unknown account, and an
 * admin of an account that has a parent.
 */
export const buildCreateUser =
  (ports: { accounts: Accounts; users: Users; now: () => Date }) =>
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
    if ((await ports.users.add(user)) === 'added') return user;
    throw new AdministrationError(`There is a user "${id}" already.`);
  };

/** Up to 64 and 255 characters, as RFC 5321 has it. Catches typing errors; the provider decides. */
const EMAIL = /^[^\s@<>(),;:"\\]{1,64}@[^\s@<>(),;:"\\]{1,255}$/;

export const requireEmail = (email: string): void => {
  if (!EMAIL.test(email)) throw new AdministrationError(`"${email}" is not an e-mail address.`);
};

/**
 * Sets or, without an address, removes it. Throws `AdministrationError` for an unknown user and for
 * a text that is no address.
 */
export const buildSetEmail =
  (ports: { users: Users }) =>
  async (id: string, email?: string): Promise<User> => {
    if (email !== undefined) requireEmail(email);
    const { email: _, ...rest } = await existingUser(ports.users, id);
    const user: User = { ...rest, ...(email !== undefined && { email }) };
    await ports.users.replace(user);
    return user;
  };

/** All users of one account, by id. Throws `AdministrationError` for an unknown account. */
export const buildListUsers =
  (ports: { accounts: Accounts; userList: UserList }) =>
  async (accountName: string): Promise<readonly User[]> => {
    await existingAccount(ports.accounts, accountName);
    const pages = await everyPage((page) => ports.userList.listOf(accountName, page));
    return pages.flatMap(({ users }) => users);
  };
