import { type Accounts, existingAccount } from './account.ts';
import { everyPage } from './every-page.ts';
import type { User, UserList } from './user.ts';

/** All users of one account, by id. Throws `AdministrationError` for an unknown account. */
export const buildListUsers =
  (ports: { accounts: Accounts; userList: UserList }) =>
  async (accountName: string): Promise<readonly User[]> => {
    await existingAccount(ports.accounts, accountName);
    const pages = await everyPage((page) => ports.userList.listOf(accountName, page));
    return pages.flatMap(({ users }) => users);
  };
