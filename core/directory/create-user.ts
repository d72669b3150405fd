import { type Accounts, existingAccount } from './account.ts';
import { AdministrationError } from './administration-error.ts';
import { USER_ID } from './get-signature.ts';
import type { User, Users } from './user.ts';

/**
 * Creates a user of an account. Throws `AdministrationError` for an id that is not valid or in use,
 * and for an unknown account.
 */
export const buildCreateUser =
  (ports: { accounts: Accounts; users: Users; now: () => Date }) =>
  async (id: string, accountName: string): Promise<User> => {
    if (!USER_ID.test(id)) {
      throw new AdministrationError(`"${id}" cannot be a user's id: 1 to 64 of A-Z a-z 0-9 _ -.`);
    }
    const account = await existingAccount(ports.accounts, accountName);
    const user: User = {
      id,
      account: account.name,
      primaryAccount: account.primaryAccount,
      createdAt: ports.now().toISOString(),
    };
    if ((await ports.users.add(user)) === 'added') return user;
    throw new AdministrationError(`There is a user "${id}" already.`);
  };
