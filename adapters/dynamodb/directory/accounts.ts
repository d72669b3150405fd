import {
  type Account,
  type Accounts,
  type AccountTree,
  type EveryOrganisation,
  NAME_BLOCKED_MS,
} from '../../../core/directory/account.ts';
import type {
  User,
  UserList,
  UserSignatures,
  Users,
  WritableSignatures,
} from '../../../core/directory/user.ts';
import { DynamoDbTable } from '../table/table.ts';
import { writeTogether } from '../table/writes.ts';
import {
  ABSENT,
  ACCOUNT,
  ACCOUNT_USER_PREFIX,
  accountKey,
  accountUserKey,
  CHILD_ACCOUNT_PREFIX,
  childAccountKey,
  type DirectoryItems,
  removedAccountKey,
  signatureKey,
  userKey,
} from './directory-items.ts';

export const dynamoDbAccounts = (items: DirectoryItems): Accounts & EveryOrganisation => ({
  find: (name) => items.get(accountKey(name)),
  add: async (account) => {
    const { name, parent, primaryAccount } = account;
    const isAdded = await items.together(
      items.putting(accountKey(name), account, ABSENT),
      items.deleting(removedAccountKey(name)),
      ...(parent === undefined
        ? []
        : [items.putting(childAccountKey(primaryAccount, name), account)]),
    );
    return isAdded ? 'added' : 'exists';
  },
  beginRemoval: ({ name }, at) => items.put(removedAccountKey(name), removalAt(at)),
  remove: async ({ name, primaryAccount }, at) => {
    await items.together(
      items.deleting(accountKey(name)),
      items.deleting(childAccountKey(primaryAccount, name)),
      items.putting(removedAccountKey(name), removalAt(at)),
    );
  },
  removedAt: async (name) => {
    const removal = await items.get<{ removedAt: string }>(removedAccountKey(name));
    return removal?.removedAt;
  },
  replace: (account) => items.replace(accountKey(account.name), account),
  pageOfOrganisations: async ({ limit, after }) => {
    const found: Account[] = [];
    const pages = items.scanPages<Account>(
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
  },
});

const removalAt = (at: Date) => ({
  removedAt: at.toISOString(),
  expiresAt: Math.ceil((at.getTime() + NAME_BLOCKED_MS) / 1_000),
});

export const dynamoDbUsers = (items: DirectoryItems): Users => ({
  find: (id) => items.get(userKey(id)),
  add: async (user) => {
    const isAdded = await items.together(
      items.putting(userKey(user.id), user, ABSENT),
      items.putting(accountUserKey(user.account, user.id), user),
    );
    return isAdded ? 'added' : 'exists';
  },
  replace: async (user) => {
    await items.together(
      items.putting(userKey(user.id), user, ofAccount(user)),
      items.putting(accountUserKey(user.account, user.id), user),
    );
  },
  remove: async (user) => {
    const { id, account } = user;
    const wasThere = await items.together(
      items.deleting(userKey(id), ofAccount(user)),
      items.deleting(accountUserKey(account, id)),
    );
    // Of a user who is not there, as in a restored table: the removal of the account would not end.
    if (!wasThere) await items.remove(accountUserKey(account, id));
  },
});

/** Another account may have a user of the id by now. */
const ofAccount = ({ account }: User) => ({
  ConditionExpression: 'account = :account',
  ExpressionAttributeValues: { ':account': account },
});

export const dynamoDbAccountTree = (items: DirectoryItems): AccountTree => ({
  listOf: async (primaryAccount, options) => {
    const partition = { pk: accountKey(primaryAccount).pk, prefix: CHILD_ACCOUNT_PREFIX };
    const { found, next } = await items.pageOf<Account>(partition, options);
    return { accounts: found, ...(next !== undefined && { next }) };
  },
});

export const dynamoDbUserList = (items: DirectoryItems): UserList => ({
  listOf: async (account, options) => {
    const partition = { pk: accountKey(account).pk, prefix: ACCOUNT_USER_PREFIX };
    const { found, next } = await items.pageOf<User>(partition, options);
    return { users: found, ...(next !== undefined && { next }) };
  },
});

export const dynamoDbSignatures = (items: DirectoryItems): WritableSignatures => ({
  has: async (user) => (await items.get(signatureKey(user))) !== undefined,
  write: async (user, content) => {
    if (content === '') {
      await items.remove(signatureKey(user));
      return (await items.get(userKey(user))) === undefined ? 'no-user' : 'written';
    }
    const TableName = items.table;
    const ConditionExpression = 'attribute_exists(pk)';
    // A text without its user would never be erased.
    const unmet = await writeTogether(items.client, [
      { ConditionCheck: { TableName, Key: userKey(user), ConditionExpression } },
      { Put: { TableName, Item: { ...signatureKey(user), content } } },
    ]);
    return unmet === undefined ? 'written' : 'no-user';
  },
  remove: (user) => items.remove(signatureKey(user)),
});

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
