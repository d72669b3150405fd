import { cursorAt, positionOf } from '../json-ld/cursor.ts';
import { ACCOUNT_NAME, type Account, type Accounts, type AccountTree } from './account.ts';

export type AccountsPage = (request: {
  /** The name of the organisation's own account. */
  organisation: string;
  limit: number;
  /** The `next` of the page before. */
  cursor?: string | undefined;
}) => Promise<{ accounts: readonly Account[]; next?: string }>;

/**
 * A page of an organisation's accounts: its own account first, then those below in the order of
 * their names. `next` is absent on the last page. Throws a `validation` refusal for a text that is
 * not a cursor.
 */
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
    const after = cursor === undefined ? undefined : positionOf(cursor, ACCOUNT_NAME);
    const above = after === undefined ? [await organisationOf(organisation)] : [];
    const room = limit - above.length;
    // A page without room for an account below still has to tell whether there is one.
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
