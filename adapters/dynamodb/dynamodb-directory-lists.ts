import type { Account, PageOptions, WritableAccountTree } from '../../core/directory/account.ts';
import type { User, WritableUserList } from '../../core/directory/user.ts';
import type { DirectoryItems } from './directory-items.ts';
import {
  ACCOUNT_USER_PREFIX,
  accountKey,
  accountUserKey,
  CHILD_ACCOUNT_PREFIX,
  childAccountKey,
} from './directory-keys.ts';

/** The accounts of each organisation in table Directory: an item has the members of an Account. */
export class DynamoDbAccountTree implements WritableAccountTree {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  put(account: Account): Promise<void> {
    return this.#items.put(childAccountKey(account.primaryAccount, account.name), account);
  }

  async listOf(
    primaryAccount: string,
    options: PageOptions,
  ): Promise<{ accounts: readonly Account[]; next?: string }> {
    const partition = { pk: accountKey(primaryAccount).pk, prefix: CHILD_ACCOUNT_PREFIX };
    const { found, next } = await this.#items.pageOf<Account>(partition, options);
    return { accounts: found, ...(next !== undefined && { next }) };
  }
}

/** The users of each account in table Directory: an item has the members of a User. */
export class DynamoDbUserList implements WritableUserList {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  put(user: User): Promise<void> {
    return this.#items.put(accountUserKey(user.account, user.id), user);
  }

  remove(user: User): Promise<void> {
    return this.#items.remove(accountUserKey(user.account, user.id));
  }

  async listOf(
    account: string,
    options: PageOptions,
  ): Promise<{ users: readonly User[]; next?: string }> {
    const partition = { pk: accountKey(account).pk, prefix: ACCOUNT_USER_PREFIX };
    const { found, next } = await this.#items.pageOf<User>(partition, options);
    return { users: found, ...(next !== undefined && { next }) };
  }
}
