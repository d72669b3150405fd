import type {
  Account,
  Accounts,
  EveryOrganisation,
  PageOptions,
  WritableAccountTree,
} from '../../../core/directory/account.ts';
import type {
  IdentifiedUsers,
  Identities,
  IdentityList,
  SignInIdentity,
} from '../../../core/directory/sign-in.ts';
import type {
  User,
  UserSignatures,
  Users,
  WritableSignatures,
  WritableUserList,
} from '../../../core/directory/user.ts';
import { InMemoryAccessTokens, InMemoryTokenList } from './in-memory-access-tokens.ts';
import { InMemoryConsoleLinks } from './in-memory-console-links.ts';

/** Values by their keys. */
class InMemoryByKey<Value> {
  readonly #values = new Map<string, Value>();
  readonly #keyOf: (value: Value) => string;

  constructor(keyOf: (value: Value) => string) {
    this.#keyOf = keyOf;
  }

  all(): readonly Value[] {
    return [...this.#values.values()];
  }

  async find(key: string): Promise<Value | undefined> {
    return this.#values.get(key);
  }

  async add(value: Value): Promise<'added' | 'exists'> {
    const key = this.#keyOf(value);
    if (this.#values.has(key)) return 'exists';
    this.#values.set(key, value);
    return 'added';
  }

  async replace(value: Value): Promise<void> {
    const key = this.#keyOf(value);
    if (this.#values.has(key)) this.#values.set(key, value);
  }

  async remove(key: string): Promise<void> {
    this.#values.delete(key);
  }
}

export class InMemoryAccounts
  extends InMemoryByKey<Account>
  implements Accounts, EveryOrganisation
{
  readonly #removedAt = new Map<string, string>();

  override async remove(name: string, at?: Date): Promise<void> {
    if (at) this.#removedAt.set(name, at.toISOString());
    await super.remove(name);
  }

  async removedAt(name: string): Promise<string | undefined> {
    return this.#removedAt.get(name);
  }

  async pageOfOrganisations(options: PageOptions) {
    const organisations = this.all().filter(({ parent }) => parent === undefined);
    const { shown, next } = pageOf(organisations, ({ name }) => name, options);
    return { accounts: shown, ...(next !== undefined && { next }) };
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

class InMemoryIdentityList implements IdentityList {
  readonly #listed = new Map<string, { user: string; identity: SignInIdentity }>();

  async put(user: string, identity: SignInIdentity): Promise<void> {
    this.#listed.set(`${user}#${nameOf(identity)}`, { user, identity });
  }

  async remove(user: string, identity: SignInIdentity): Promise<void> {
    this.#listed.delete(`${user}#${nameOf(identity)}`);
  }

  async listOf(id: string): Promise<readonly SignInIdentity[]> {
    return [...this.#listed.values()].flatMap(({ user, identity }) =>
      user === id ? [identity] : [],
    );
  }
}

class InMemoryIdentities implements Identities, IdentifiedUsers {
  readonly #users: Users;
  readonly #owners = new Map<string, string>();

  constructor(users: Users) {
    this.#users = users;
  }

  async ownerOf(identity: SignInIdentity): Promise<string | undefined> {
    return this.#owners.get(nameOf(identity));
  }

  async add(user: string, identity: SignInIdentity): Promise<'added' | 'taken'> {
    const owner = this.#owners.get(nameOf(identity)) ?? user;
    this.#owners.set(nameOf(identity), owner);
    return owner === user ? 'added' : 'taken';
  }

  async remove(user: string, identity: SignInIdentity): Promise<void> {
    if (this.#owners.get(nameOf(identity)) === user) this.#owners.delete(nameOf(identity));
  }

  async findUser(identity: SignInIdentity): Promise<User | undefined> {
    const owner = this.#owners.get(nameOf(identity));
    return owner === undefined ? undefined : this.#users.find(owner);
  }
}

const keyOf = ({ primaryAccount, name }: Account): string => `${primaryAccount}/${name}`;

export class InMemoryAccountTree implements WritableAccountTree {
  readonly #accounts = new Map<string, Account>();

  async put(account: Account): Promise<void> {
    this.#accounts.set(keyOf(account), account);
  }

  async remove(account: Account): Promise<void> {
    this.#accounts.delete(keyOf(account));
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
    this.#users.set(`${user.account}/${user.id}`, user);
  }

  async remove(user: User): Promise<void> {
    this.#users.delete(`${user.account}/${user.id}`);
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

/** A whole Directory in memory: what administration writes and what the functions read of it. */
export const inMemoryDirectory = () => {
  const credentials = new InMemoryAccessTokens();
  const users = new InMemoryByKey<User>(({ id }) => id);
  return {
    accounts: new InMemoryAccounts(({ name }) => name),
    tree: new InMemoryAccountTree(),
    users,
    userList: new InMemoryUserList(),
    signatures: new InMemoryWritableSignatures(users),
    identityList: new InMemoryIdentityList(),
    identities: new InMemoryIdentities(users),
    list: new InMemoryTokenList(),
    links: new InMemoryConsoleLinks(),
    credentials,
    uses: credentials,
  };
};
