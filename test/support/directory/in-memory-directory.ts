import type {
  Account,
  Accounts,
  AccountTree,
  EveryOrganisation,
  PageOptions,
} from '../../../core/directory/account.ts';
import type {
  IdentifiedUsers,
  Identities,
  SignInIdentity,
} from '../../../core/directory/sign-in.ts';
import type {
  User,
  UserList,
  UserSignatures,
  Users,
  WritableSignatures,
} from '../../../core/directory/user.ts';
import { InMemoryAccessTokens } from './in-memory-access-tokens.ts';
import { InMemoryConsoleLinks } from './in-memory-console-links.ts';

/** Accounts, and the tree of those that have a parent. */
class InMemoryAccounts implements Accounts, EveryOrganisation, AccountTree {
  readonly #accounts = new Map<string, Account>();
  readonly #removedAt = new Map<string, string>();

  async find(name: string): Promise<Account | undefined> {
    return this.#accounts.get(name);
  }

  async add(account: Account): Promise<'added' | 'exists'> {
    if (this.#accounts.has(account.name)) return 'exists';
    this.#accounts.set(account.name, account);
    this.#removedAt.delete(account.name);
    return 'added';
  }

  async replace(account: Account): Promise<void> {
    if (this.#accounts.has(account.name)) this.#accounts.set(account.name, account);
  }

  async beginRemoval({ name }: Account, at: Date): Promise<void> {
    this.#removedAt.set(name, at.toISOString());
  }

  async remove({ name }: Account, at: Date): Promise<void> {
    this.#removedAt.set(name, at.toISOString());
    this.#accounts.delete(name);
  }

  async removedAt(name: string): Promise<string | undefined> {
    return this.#removedAt.get(name);
  }

  async pageOfOrganisations(options: PageOptions) {
    return this.#pageOf(({ parent }) => parent === undefined, options);
  }

  async listOf(primaryAccount: string, options: PageOptions) {
    return this.#pageOf(
      (account) => account.parent !== undefined && account.primaryAccount === primaryAccount,
      options,
    );
  }

  #pageOf(isShown: (account: Account) => boolean, options: PageOptions) {
    const found = [...this.#accounts.values()].filter(isShown);
    const { shown, next } = pageOf(found, ({ name }) => name, options);
    return { accounts: shown, ...(next !== undefined && { next }) };
  }
}

/** Users, and the lists of those of each account. */
class InMemoryUsers implements Users, UserList {
  readonly #users = new Map<string, User>();

  async find(id: string): Promise<User | undefined> {
    return this.#users.get(id);
  }

  async add(user: User): Promise<'added' | 'exists'> {
    if (this.#users.has(user.id)) return 'exists';
    this.#users.set(user.id, user);
    return 'added';
  }

  async replace(user: User): Promise<void> {
    if (this.#users.get(user.id)?.account === user.account) this.#users.set(user.id, user);
  }

  async remove({ id, account }: User): Promise<void> {
    if (this.#users.get(id)?.account === account) this.#users.delete(id);
  }

  async listOf(account: string, options: PageOptions) {
    const inside = [...this.#users.values()].filter((user) => user.account === account);
    const { shown, next } = pageOf(inside, ({ id }) => id, options);
    return { users: shown, ...(next !== undefined && { next }) };
  }
}

class InMemoryWritableSignatures implements WritableSignatures, UserSignatures {
  readonly #users: Users;
  readonly #contents = new Map<string, string>();

  constructor(users: Users) {
    this.#users = users;
  }

  async has(user: string): Promise<boolean> {
    return this.#contents.has(user);
  }

  async write(id: string, content: string): Promise<'written' | 'no-user'> {
    if ((await this.#users.find(id)) === undefined) return 'no-user';
    if (content === '') this.#contents.delete(id);
    else this.#contents.set(id, content);
    return 'written';
  }

  async remove(user: string): Promise<void> {
    this.#contents.delete(user);
  }

  async findSignature(id: string): Promise<{ account: string; content: string } | undefined> {
    const user = await this.#users.find(id);
    return user && { account: user.primaryAccount, content: this.#contents.get(id) ?? '' };
  }
}

const nameOf = ({ issuer, subject }: SignInIdentity): string => `${issuer}#${subject}`;

class InMemoryIdentities implements Identities, IdentifiedUsers {
  readonly #users: Users;
  readonly #owned = new Map<string, { readonly user: string; readonly identity: SignInIdentity }>();

  constructor(users: Users) {
    this.#users = users;
  }

  async listOf(id: string): Promise<readonly SignInIdentity[]> {
    return [...this.#owned.values()].flatMap(({ user, identity }) =>
      user === id ? [identity] : [],
    );
  }

  async add(user: string, identity: SignInIdentity): Promise<'added' | 'taken'> {
    const owner = this.#owned.get(nameOf(identity))?.user ?? user;
    this.#owned.set(nameOf(identity), { user: owner, identity });
    return owner === user ? 'added' : 'taken';
  }

  async remove(user: string, identity: SignInIdentity): Promise<void> {
    if (this.#owned.get(nameOf(identity))?.user === user) this.#owned.delete(nameOf(identity));
  }

  async findUser(identity: SignInIdentity): Promise<User | undefined> {
    const owner = this.#owned.get(nameOf(identity))?.user;
    return owner === undefined ? undefined : this.#users.find(owner);
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

/** A whole Directory in memory: what administration writes and what the functions read of it. */
export const inMemoryDirectory = () => {
  const accounts = new InMemoryAccounts();
  const users = new InMemoryUsers();
  const tokens = new InMemoryAccessTokens(accounts);
  return {
    accounts,
    tree: accounts,
    users,
    userList: users,
    signatures: new InMemoryWritableSignatures(users),
    identities: new InMemoryIdentities(users),
    tokens,
    links: new InMemoryConsoleLinks(),
    uses: tokens,
  };
};
