import { paginateScan, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { SignInIdentity } from '../../../core/directory/sign-in.ts';
import { DynamoDbTable } from '../table/table.ts';
import { type TransactionPart, writeTogether } from '../table/writes.ts';

// The keys of table Directory: docs/engineers/tables.md lists its items.

export const accountKey = (name: string) => ({ pk: `ACCOUNT#${name}`, sk: ACCOUNT });

/** The sort key of an account. */
export const ACCOUNT = 'ACCOUNT';

export const removedAccountKey = (name: string) => ({ pk: `ACCOUNT#${name}`, sk: 'REMOVED' });

export const ACCOUNT_TOKEN_PREFIX = 'TOKEN#';

export const accountTokenKey = (account: string, tokenId: string) => ({
  pk: `ACCOUNT#${account}`,
  sk: `${ACCOUNT_TOKEN_PREFIX}${tokenId}`,
});

export const CHILD_ACCOUNT_PREFIX = 'CHILD#';

export const childAccountKey = (primaryAccount: string, name: string) => ({
  pk: `ACCOUNT#${primaryAccount}`,
  sk: `${CHILD_ACCOUNT_PREFIX}${name}`,
});

export const ACCOUNT_USER_PREFIX = 'USER#';

export const accountUserKey = (account: string, id: string) => ({
  pk: `ACCOUNT#${account}`,
  sk: `${ACCOUNT_USER_PREFIX}${id}`,
});

export const IDEMPOTENCY_PREFIX = 'IDEMPOTENCY#';

export const idempotencyKey = (account: string, key: string) => ({
  pk: `ACCOUNT#${account}`,
  sk: `${IDEMPOTENCY_PREFIX}${key}`,
});

export const userKey = (id: string) => ({ pk: `USER#${id}`, sk: 'USER' });

export const signatureKey = (user: string) => ({ pk: `USER#${user}`, sk: 'SIGNATURE' });

export const tokenKey = (hash: string) => ({ pk: `TOKEN#${hash}`, sk: 'TOKEN' });

export const consoleLinkKey = (hash: string) => ({ pk: `LINK#${hash}`, sk: 'LINK' });

/** An issuer has no `#`: issuer and subject can be told apart. */
const nameOf = ({ issuer, subject }: SignInIdentity) => `IDENTITY#${issuer}#${subject}`;

export const identityKey = (identity: SignInIdentity) => ({
  pk: nameOf(identity),
  sk: 'IDENTITY',
});

export const USER_IDENTITY_PREFIX = 'IDENTITY#';

export const userIdentityKey = (user: string, identity: SignInIdentity) => ({
  pk: `USER#${user}`,
  sk: nameOf(identity),
});

export const noticeKey = (integration: string) => ({ pk: `NOTICE#${integration}`, sk: 'NOTICE' });

/** Of an account's costly calls in a minute, in minutes since 1970. */
export const callsKey = (account: string, minute: number) => ({
  pk: `CALLS#${account}`,
  sk: `${minute}`,
});

export type DirectoryKey = Readonly<Record<'pk' | 'sk', string>>;

interface Listing {
  readonly pk: string;
  readonly prefix: string;
}

/** Reads and writes of items of table Directory, strongly consistent. */
export class DirectoryItems extends DynamoDbTable {
  /** The attributes without the key, as `put` stored them. They are not checked. */
  async get<Attributes extends object>(key: DirectoryKey): Promise<Attributes | undefined> {
    const item = await this.getItem<Item>(key);
    return item && attributesOf<Attributes>(item);
  }

  async put(key: DirectoryKey, attributes: object): Promise<void> {
    await this.putItem({ Item: { ...attributes, ...key } });
  }

  /** Does nothing if there is no item. */
  async replace(key: DirectoryKey, attributes: object): Promise<void> {
    await this.putItem({
      Item: { ...attributes, ...key },
      ConditionExpression: 'attribute_exists(pk)',
    });
  }

  async remove(key: DirectoryKey): Promise<void> {
    await this.deleteItem({ Key: key });
  }

  /** Makes all writes or none; whether their conditions were met. */
  async together(...parts: readonly TransactionPart[]): Promise<boolean> {
    return (await writeTogether(this.client, parts)) === undefined;
  }

  putting(key: DirectoryKey, attributes: object, condition: Condition = {}): TransactionPart {
    return { Put: { TableName: this.table, Item: { ...attributes, ...key }, ...condition } };
  }

  deleting(key: DirectoryKey, condition: Condition = {}): TransactionPart {
    return { Delete: { TableName: this.table, Key: key, ...condition } };
  }

  async all<Attributes extends object>(listing: Listing): Promise<Attributes[]> {
    const found: Attributes[] = [];
    for await (const { Items = [] } of this.queryPages(itemsOf(listing))) {
      found.push(...Items.map(attributesOf<Attributes>));
    }
    return found;
  }

  /** The whole table, 1 MB (128 read units) at a time, after an item. May miss the latest writes. */
  async *scanPages<Attributes extends object>(
    filter: Omit<ScanCommandInput, 'TableName'>,
    after?: DirectoryKey,
  ): AsyncIterable<Attributes[]> {
    const pages = paginateScan(
      { client: this.client, startingToken: after },
      { TableName: this.table, ...filter },
    );
    for await (const { Items = [] } of pages) yield Items.map(attributesOf<Attributes>);
  }

  async countOf(listing: Listing): Promise<number> {
    let count = 0;
    for await (const page of this.queryPages({ ...itemsOf(listing), Select: 'COUNT' })) {
      count += page.Count ?? 0;
    }
    return count;
  }

  /** Up to `limit` items after the sort key `prefix` and `after`. No `next` on the last page. */
  async pageOf<Attributes extends object>(
    listing: Listing,
    { limit, after, isDescending = false }: PageQuery,
  ): Promise<{ found: Attributes[]; next?: string }> {
    const { pk, prefix } = listing;
    const items: Item[] = [];
    // One item more than the page shows tells whether there is another page.
    const pages = this.queryPages(
      { ...itemsOf(listing), Limit: limit + 1, ScanIndexForward: !isDescending },
      after === undefined ? undefined : { pk, sk: `${prefix}${after}` },
    );
    for await (const { Items = [] } of pages) {
      items.push(...Items);
      if (items.length > limit) break;
    }
    const shown = items.slice(0, limit);
    const last = items.length > limit ? shown.at(-1) : undefined;
    return {
      found: shown.map(attributesOf<Attributes>),
      ...(last && { next: String(last.sk).slice(prefix.length) }),
    };
  }
}

interface Condition {
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, string>;
}

/** That no account of the name is being removed or was removed. */
export const unlessRemoved = (TableName: string, account: string): TransactionPart => ({
  ConditionCheck: { TableName, Key: removedAccountKey(account), ...ABSENT },
});

export const ABSENT = {
  ConditionExpression: 'attribute_not_exists(pk)',
} as const satisfies Condition;

interface PageQuery {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly isDescending?: boolean;
}

export const itemsOf = ({ pk, prefix }: Listing) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
});

type Item = Readonly<Record<string, unknown>>;

const attributesOf = <Attributes extends object>({ pk: _pk, sk: _sk, ...attributes }: Item) =>
  attributes as Attributes;
