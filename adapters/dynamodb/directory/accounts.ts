import {
  type Account,
  type Accounts,
  type EveryOrganisation,
  NAME_RESTS_MS,
  type PageOptions,
  type WritableAccountTree,
} from '../../../core/directory/account.ts';
import type {
  User,
  UserSignatures,
  Users,
  WritableUserList,
} from '../../../core/directory/user.ts';
import { DynamoDbTable } from '../table/table.ts';
import {
  ACCOUNT,
  ACCOUNT_USER_PREFIX,
  accountKey,
  accountUserKey,
  CHILD_ACCOUNT_PREFIX,
  childAccountKey,
  DirectoryPart,
  removedAccountKey,
  signatureKey,
  userKey,
} from './directory-items.ts';

export class DynamoDbAccounts extends DirectoryPart implements Accounts, EveryOrganisation {
  find(name: string): Promise<Account | undefined> {
    return this.items.get(accountKey(name));
  }

  add(account: Account): Promise<'added' | 'exists'> {
    return this.items.add(accountKey(account.name), account);
  }

  async remove(name: string, at: Date): Promise<void> {
    const expiresAt = Math.ceil((at.getTime() + NAME_RESTS_MS) / 1_000);
    await this.items.put(removedAccountKey(name), { removedAt: at.toISOString(), expiresAt });
    await this.items.remove(accountKey(name));
  }

  async removedAt(name: string): Promise<string | undefined> {
    const removal = await this.items.get<{ removedAt: string }>(removedAccountKey(name));
    return removal?.removedAt;
  }

  replace(account: Account): Promise<void> {
    return this.items.replace(accountKey(account.name), account);
  }

  async pageOfOrganisations({
    limit,
    after,
  }: PageOptions): Promise<{ accounts: readonly Account[]; next?: string }> {
    const found: Account[] = [];
    const pages = this.items.scanPages<Account>(
      {
        FilterExpression: 'sk = :account AND attribute_not_exists(parent)',
        ExpressionAttributeValues: { ':account': ACCOUNT },
      },
      after === undefined ? undefined : accountKey(after),
    );
    for await (const accounts of pages) {
      found.push(...accounts);
      if (found.length > limit) break;
    }
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { accounts: found.slice(0, limit), ...(last && { next: last.name }) };
  }
}

export class DynamoDbUsers extends DirectoryPart implements Users {
  find(id: string): Promise<User | undefined> {
    return this.items.get(userKey(id));
  }

  add(user: User): Promise<'added' | 'exists'> {
    return this.items.add(userKey(user.id), user);
  }

  replace(user: User): Promise<void> {
    return this.items.replace(userKey(user.id), user);
  }

  remove(id: string): Promise<void> {
    return this.items.remove(userKey(id));
  }
}

/** The accounts of each organisation in table Directory: an item has the members of an Account. */
export class DynamoDbAccountTree extends DirectoryPart implements WritableAccountTree {
  put(account: Account): Promise<void> {
    return this.items.put(childAccountKey(account.primaryAccount, account.name), account);
  }

  remove(account: Account): Promise<void> {
    return this.items.remove(childAccountKey(account.primaryAccount, account.name));
  }

  async listOf(
    primaryAccount: string,
    options: PageOptions,
  ): Promise<{ accounts: readonly Account[]; next?: string }> {
    const partition = { pk: accountKey(primaryAccount).pk, prefix: CHILD_ACCOUNT_PREFIX };
    const { found, next } = await this.items.pageOf<Account>(partition, options);
    return { accounts: found, ...(next !== undefined && { next }) };
  }
}

export class DynamoDbUserList extends DirectoryPart implements WritableUserList {
  put(user: User): Promise<void> {
    return this.items.put(accountUserKey(user.account, user.id), user);
  }

  remove(user: User): Promise<void> {
    return this.items.remove(accountUserKey(user.account, user.id));
  }

  async listOf(
    account: string,
    options: PageOptions,
  ): Promise<{ users: readonly User[]; next?: string }> {
    const partition = { pk: accountKey(account).pk, prefix: ACCOUNT_USER_PREFIX };
    const { found, next } = await this.items.pageOf<User>(partition, options);
    return { users: found, ...(next !== undefined && { next }) };
  }
}

/** Signatures in table Directory: a user and the user's signature are read by one query. */
export class DynamoDbUserSignatures extends DynamoDbTable implements UserSignatures {
  async findSignature(user: string): Promise<{ account: string; content: string } | undefined> {
    const { Items = [] } = await this.query({
      KeyConditionExpression: 'pk = :user',
      ExpressionAttributeValues: { ':user': userKey(user).pk },
    });
    const found = Items.find(({ sk }) => sk === userKey(user).sk);
    const signature = Items.find(({ sk }) => sk === signatureKey(user).sk);
    return found && { account: found.primaryAccount, content: signature?.content ?? '' };
  }
}
