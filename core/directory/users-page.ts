import { cursorAt, positionOf } from '../json-ld/cursor.ts';
import type { Accounts } from './account.ts';
import { buildGetAccount } from './get-account.ts';
import { USER_ID } from './get-signature.ts';
import type { User, UserList } from './user.ts';

export type UsersPage = (request: {
  /** The name of the organisation's own account. */
  organisation: string;
  account: string;
  limit: number;
  /** The `next` of the page before. */
  cursor?: string | undefined;
}) => Promise<{ users: readonly User[]; next?: string }>;

/**
 * A page of an account's users, in the order of their ids. `next` is absent on the last page.
 * Throws `not-found` also for another organisation's account, and a `validation` refusal for a text
 * that is not a cursor.
 */
export const buildUsersPage = (ports: {
  accounts: Pick<Accounts, 'find'>;
  userList: UserList;
}): UsersPage => {
  const getAccount = buildGetAccount(ports);
  return async ({ organisation, account, limit, cursor }) => {
    const { name } = await getAccount(organisation, account);
    const after = cursor === undefined ? undefined : positionOf(cursor, USER_ID);
    const { users, next } = await ports.userList.listOf(name, { limit, after });
    return { users, ...(next !== undefined && { next: cursorAt(next) }) };
  };
};
