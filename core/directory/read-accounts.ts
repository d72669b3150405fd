import { cursorAt, type PageRequest, positionIn } from '../json-ld/cursor.ts';
import { Refusal } from '../refusal.ts';
import { ACCOUNT_NAME, type Account, type Accounts, type AccountTree } from './account.ts';
import { USER_ID, type User, type UserList } from './user.ts';

/** `organisation` is the name of the organisation's own account. */
export type GetAccount = (organisation: string, name: string) => Promise<Account>;

/** An account of an organisation. Throws `not-found` also for another organisation's account. */
export const buildGetAccount =
  (ports: { accounts: Pick<Accounts, 'find'> }): GetAccount =>
  async (organisation, name) => {
    const found = ACCOUNT_NAME.test(name) ? await ports.accounts.find(name) : undefined;
    if (found?.primaryAccount === organisation) return found;
    throw new Refusal('not-found', 'The account does not exist.');
  };

export type AccountsPage = (
  request: PageRequest & { organisation: string },
) => Promise<{ accounts: readonly Account[]; next?: string }>;

/** Its own account first, then by name. Throws `validation` for a text that is not a cursor. */
export const buildAccountsPage = (ports: {
  accounts: Pick<Accounts, 'find'>;
  tree: AccountTree;
}): AccountsPage => {
  const organisationOf = async (name: string): Promise<Account> => {
    const found = await ports.accounts.find(name);
    if (found === undefined)
      throw new Error(`There are tokens of account ${name}, and no account.`);
    return found;
  };
  return async ({ organisation, limit, cursor }) => {
    const after = cursor === undefined ? undefined : positionIn(cursor, ACCOUNT_NAME);
    const above = after === undefined ? [await organisationOf(organisation)] : [];
    const room = limit - above.length;
    // Even a page without room for an account below shows whether there is one.
    const below = await ports.tree.listOf(organisation, {
      limit: Math.max(room, 1),
      ...(after !== organisation && { after }),
    });
    const accounts = [...above, ...below.accounts.slice(0, room)];
    const hasMore = below.next !== undefined || below.accounts.length > room;
    const last = accounts.at(-1);
    return { accounts, ...(hasMore && last && { next: cursorAt(last.name) }) };
  };
};

export type UsersPage = (
  request: PageRequest & { organisation: string; account: string },
) => Promise<{ users: readonly User[]; next?: string }>;

/**
 * Users of an account by id; no `next` on the last page. Throws `not-found` also for another
 * organisation's account, and `validation` for a text that is not a cursor.
 */
export const buildUsersPage = (ports: {
  accounts: Pick<Accounts, 'find'>;
  userList: UserList;
}): UsersPage => {
  const getAccount = buildGetAccount(ports);
  return async ({ organisation, account, limit, cursor }) => {
    const { name } = await getAccount(organisation, account);
    const after = cursor === undefined ? undefined : positionIn(cursor, USER_ID);
    const { users, next } = await ports.userList.listOf(name, { limit, after });
    return { users, ...(next !== undefined && { next: cursorAt(next) }) };
  };
};
