import type { Account, Accounts } from '../../../core/directory/account.ts';
import type { AccessTokens } from '../../../core/directory/authenticate.ts';
import type { UserSignatures } from '../../../core/directory/get-signature.ts';
import type {
  IssuedToken,
  TokenCredentials,
  TokenList,
} from '../../../core/directory/issued-token.ts';
import type { Principal } from '../../../core/directory/principal.ts';
import type { WritableSignatures } from '../../../core/directory/set-signature.ts';
import type { User, Users } from '../../../core/directory/user.ts';
import { InMemoryAccountTree, InMemoryUserList } from './in-memory-lists.ts';

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

  async findSignature(id: string): Promise<{ account: string; content: string } | undefined> {
    const user = await this.#users.find(id);
    return user && { account: user.primaryAccount, content: this.#contents.get(id) ?? '' };
  }
}

export class InMemoryTokenList implements TokenList {
  readonly #tokens = new Map<string, IssuedToken>();

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

export class InMemoryTokenCredentials implements TokenCredentials, AccessTokens {
  readonly #principals = new Map<string, Principal | 'revoked'>();

  async add({ hash, user, account, role }: IssuedToken): Promise<'added' | 'exists'> {
    return addTo(this.#principals, hash, { user, account, role });
  }

  async revoke({ hash }: IssuedToken): Promise<void> {
    this.#principals.set(hash, 'revoked');
  }

  async findPrincipal(tokenHash: string): Promise<Principal | undefined> {
    const principal = this.#principals.get(tokenHash);
    return principal === 'revoked' ? undefined : principal;
  }
}

/** A whole Directory in memory: what administration writes and what the functions read of it. */
export const inMemoryDirectory = () => {
  const users = new InMemoryUsers();
  return {
    accounts: new InMemoryAccounts(),
    tree: new InMemoryAccountTree(),
    users,
    userList: new InMemoryUserList(),
    signatures: new InMemoryWritableSignatures(users),
    list: new InMemoryTokenList(),
    credentials: new InMemoryTokenCredentials(),
  };
};
