import type { IssuedToken, TokenList } from '../../../core/directory/access-token.ts';
import type { Account, Accounts } from '../../../core/directory/account.ts';
import type {
  User,
  UserSignatures,
  Users,
  WritableSignatures,
} from '../../../core/directory/user.ts';
import { InMemoryIdentities, InMemoryIdentityList } from './in-memory-identities.ts';
import { InMemoryAccountTree, InMemoryUserList } from './in-memory-lists.ts';
import { InMemoryTokenCredentials } from './in-memory-token-credentials.ts';

const addTo = <Value>(map: Map<string, Value>, key: string, value: Value): 'added' | 'exists' => {
  if (map.has(key)) return 'exists';
  map.set(key, value);
  return 'added';
};

class InMemoryAccounts implements Accounts {
  readonly #accounts = new Map<string, Account>();

  async find(name: string): Promise<Account | undefined> {
    return this.#accounts.get(name);
  }

  async add(account: Account): Promise<'added' | 'exists'> {
    return addTo(this.#accounts, account.name, account);
  }
}

class InMemoryUsers implements Users {
  readonly #users = new Map<string, User>();

  async find(id: string): Promise<User | undefined> {
    return this.#users.get(id);
  }

  async add(user: User): Promise<'added' | 'exists'> {
    return addTo(this.#users, user.id, user);
  }

  async remove(id: string): Promise<void> {
    this.#users.delete(id);
  }
}

class InMemoryWritableSignatures implements WritableSignatures, UserSignatures {
  readonly #users: Users;
  readonly #contents = new Map<string, string>();

  constructor(users: Users) {
    this.#users = users;
  }

  async write(user: string, content: string): Promise<void> {
    this.#contents.set(user, content);
  }

  async remove(user: string): Promise<void> {
    this.#contents.delete(user);
  }

  async findSignature(id: string): Promise<{ account: string; content: string } | undefined> {
    const user = await this.#users.find(id);
    return user && { account: user.primaryAccount, content: this.#contents.get(id) ?? '' };
  }
}

export class InMemoryTokenList implements TokenList {
  readonly #tokens = new Map<string, IssuedToken>();

  get all(): readonly IssuedToken[] {
    return [...this.#tokens.values()];
  }

  async add(token: IssuedToken): Promise<void> {
    this.#tokens.set(`${token.account}/${token.id}`, token);
  }

  async find(account: string, id: string): Promise<IssuedToken | undefined> {
    return this.#tokens.get(`${account}/${id}`);
  }

  async listOf(account: string): Promise<readonly IssuedToken[]> {
    return [...this.#tokens.values()].filter((token) => token.account === account);
  }

  async markRevoked({ account, id }: IssuedToken, revokedAt: string): Promise<void> {
    const token = this.#tokens.get(`${account}/${id}`);
    if (token) this.#tokens.set(`${account}/${id}`, { revokedAt, ...token });
  }
}

/** A whole Directory in memory: what administration writes and what the functions read of it. */
export const inMemoryDirectory = () => {
  const credentials = new InMemoryTokenCredentials();
  const users = new InMemoryUsers();
  return {
    accounts: new InMemoryAccounts(),
    tree: new InMemoryAccountTree(),
    users,
    userList: new InMemoryUserList(),
    signatures: new InMemoryWritableSignatures(users),
    identityList: new InMemoryIdentityList(),
    identities: new InMemoryIdentities(users),
    list: new InMemoryTokenList(),
    credentials,
    uses: credentials,
  };
};
