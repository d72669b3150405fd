import type { Account, PageOptions, WritableAccountTree } from '../../../core/directory/account.ts';
import type { User, WritableUserList } from '../../../core/directory/user.ts';

export class InMemoryAccountTree implements WritableAccountTree {
  readonly #accounts = new Map<string, Account>();

  async put(account: Account): Promise<void> {
    this.#accounts.set(account.name, account);
  }

  async listOf(primaryAccount: string, options: PageOptions) {
    const below = [...this.#accounts.values()].filter(
      (account) => account.primaryAccount === primaryAccount,
    );
    const { shown, next } = pageOf(below, ({ name }) => name, options);
    return { accounts: shown, ...(next !== undefined && { next }) };
  }
}

export class InMemoryUserList implements WritableUserList {
  readonly #users = new Map<string, User>();

  async put(user: User): Promise<void> {
    this.#users.set(user.id, user);
  }

  async remove(user: User): Promise<void> {
    this.#users.delete(user.id);
  }

  async listOf(account: string, options: PageOptions) {
    const inside = [...this.#users.values()].filter((user) => user.account === account);
    const { shown, next } = pageOf(inside, ({ id }) => id, options);
    return { users: shown, ...(next !== undefined && { next }) };
  }
}

const pageOf = <Value>(
  values: readonly Value[],
  nameOf: (value: Value) => string,
  { limit, after = '' }: PageOptions,
) => {
  const rest = values
    .filter((value) => nameOf(value) > after)
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const shown = rest.slice(0, limit);
  const last = rest.length > limit ? shown.at(-1) : undefined;
  return { shown, next: last && nameOf(last) };
};
