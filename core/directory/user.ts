import type { PageOptions } from './account.ts';
import { AdministrationError } from './administration-error.ts';
import type { Role } from './principal.ts';

export interface User {
  readonly id: string;
  readonly account: string;
  /** The account at the top of the chain of parents of `account`: it has the user's tokens. */
  readonly primaryAccount: string;
  /** `admin` only for a user of an organisation's own account. */
  readonly role: Role;
  readonly createdAt: string;
}

export interface Users {
  /** Strongly consistent. */
  find(id: string): Promise<User | undefined>;
  /** `exists` when there is a user of that id in any account; that user stays as it is. */
  add(user: User): Promise<'added' | 'exists'>;
  remove(id: string): Promise<void>;
}

/** The users of each account. */
export interface UserList {
  /**
   * Up to `limit` users of an account, in the order of their ids; not the users of the accounts
   * below. `next` is absent on the last page. Strongly consistent.
   */
  listOf(account: string, options: PageOptions): Promise<{ users: readonly User[]; next?: string }>;
}

export interface WritableUserList extends UserList {
  /** Lists a user under the user's account; listing a user again changes nothing. */
  put(user: User): Promise<void>;
  remove(user: User): Promise<void>;
}

/** The user of an id. Throws `AdministrationError` when there is none. */
export const existingUser = async (users: Users, id: string): Promise<User> => {
  const user = await users.find(id);
  if (user === undefined) throw new AdministrationError(`There is no user "${id}".`);
  return user;
};

/**
 * What a user may do at most. A user of an account below the organisation's own account reads,
 * whatever the user's item says.
 */
export const roleOf = ({ account, primaryAccount, role }: User): Role =>
  role === 'admin' && account === primaryAccount ? 'admin' : 'member';
