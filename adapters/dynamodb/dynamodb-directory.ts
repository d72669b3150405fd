import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Account, Accounts } from '../../core/directory/account.ts';
import type { User, Users, WritableSignatures } from '../../core/directory/user.ts';
import { DirectoryItems } from './directory-items.ts';
import { accountKey, signatureKey, userKey } from './directory-keys.ts';
import { DynamoDbAccountTree, DynamoDbUserList } from './dynamodb-directory-lists.ts';
import { DynamoDbIdentities, DynamoDbIdentityList } from './dynamodb-identities.ts';
import {
  DynamoDbTokenCredentials,
  DynamoDbTokenList,
  DynamoDbTokenUses,
} from './dynamodb-tokens.ts';

/** Accounts in table Directory: an item has the members of an Account. */
export class DynamoDbAccounts implements Accounts {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  find(name: string): Promise<Account | undefined> {
    return this.#items.get(accountKey(name));
  }

  add(account: Account): Promise<'added' | 'exists'> {
    return this.#items.add(accountKey(account.name), account);
  }
}

/** Users in table Directory: an item has the members of a User. */
export class DynamoDbUsers implements Users {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  find(id: string): Promise<User | undefined> {
    return this.#items.get(userKey(id));
  }

  add(user: User): Promise<'added' | 'exists'> {
    return this.#items.add(userKey(user.id), user);
  }

  remove(id: string): Promise<void> {
    return this.#items.remove(userKey(id));
  }
}

class DynamoDbWritableSignatures implements WritableSignatures {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  write(user: string, content: string): Promise<void> {
    return this.#items.put(signatureKey(user), { content });
  }

  remove(user: string): Promise<void> {
    return this.#items.remove(signatureKey(user));
  }
}

/** The ports of `buildAdministration`: table Directory, the clock and random bytes. */
export const administrationPorts = (client: DynamoDBClient, table: string) => {
  const items = new DirectoryItems(DynamoDBDocumentClient.from(client), table);
  return {
    accounts: new DynamoDbAccounts(items),
    tree: new DynamoDbAccountTree(items),
    users: new DynamoDbUsers(items),
    userList: new DynamoDbUserList(items),
    signatures: new DynamoDbWritableSignatures(items),
    identityList: new DynamoDbIdentityList(items),
    identities: new DynamoDbIdentities(items),
    list: new DynamoDbTokenList(items),
    credentials: new DynamoDbTokenCredentials(items),
    uses: new DynamoDbTokenUses(items),
    now: () => new Date(),
    randomBytes,
  };
};
