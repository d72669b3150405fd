import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccessTokens, TokenPrincipal } from '../../core/directory/authenticate.ts';
import type {
  IssuedToken,
  TokenCredentials,
  TokenList,
  TokenUses,
} from '../../core/directory/access-token.ts';
import { batchGet } from './batch-get.ts';
import {
  ACCOUNT_TOKEN_PREFIX,
  accountKey,
  accountTokenKey,
  type DirectoryItems,
  type DirectoryKey,
  tokenKey,
} from './directory-items.ts';
import { ifConditionHolds } from './writes.ts';

/** The tokens of table Directory under their account. */
export class DynamoDbTokenList implements TokenList {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  async add({ account, id, ...attributes }: IssuedToken): Promise<void> {
    await this.#items.put(accountTokenKey(account, id), { tokenId: id, ...attributes });
  }

  async find(account: string, id: string): Promise<IssuedToken | undefined> {
    const item = await this.#items.get<ListedItem>(accountTokenKey(account, id));
    return item && issuedToken(account, item);
  }

  async listOf(account: string): Promise<readonly IssuedToken[]> {
    const listing = { pk: accountKey(account).pk, prefix: ACCOUNT_TOKEN_PREFIX };
    const items = await this.#items.all<ListedItem>(listing);
    return items.map((item) => issuedToken(account, item));
  }

  markRevoked({ account, id }: IssuedToken, revokedAt: string): Promise<void> {
    return setRevokedAt(this.#items, accountTokenKey(account, id), revokedAt);
  }
}

/** The tokens of table Directory by their hash; `DynamoDbAccessTokens` reads them. */
export class DynamoDbTokenCredentials implements TokenCredentials {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  add({ hash, id, user, account, role, createdAt }: IssuedToken): Promise<'added' | 'exists'> {
    return this.#items.add(tokenKey(hash), { tokenId: id, user, account, role, createdAt });
  }

  /** Creates the item if there is none, so that an `add` that is still under way finds an item. */
  revoke({ hash }: IssuedToken, revokedAt: string): Promise<void> {
    return setRevokedAt(this.#items, tokenKey(hash), revokedAt);
  }
}

/** DynamoDB reads so many items in one call. */
const MAX_READ = 100;

/** When the tokens of table Directory were used; `DynamoDbAccessTokens` notes it. */
export class DynamoDbTokenUses implements TokenUses {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  async lastUsesOf(hashes: readonly string[]): Promise<readonly (string | undefined)[]> {
    const uses: (string | undefined)[] = [];
    for (let first = 0; first < hashes.length; first += MAX_READ) {
      const keys = hashes.slice(first, first + MAX_READ).map(tokenKey);
      const { client, table } = this.#items;
      for (const item of await batchGet<{ readonly lastUsedAt?: string }>(client, table, keys)) {
        if (item instanceof Error) throw item;
        uses.push(item?.lastUsedAt);
      }
    }
    return uses;
  }
}

type ListedItem = Omit<IssuedToken, 'account' | 'id'> & { readonly tokenId: string };

const issuedToken = (
  account: string,
  { tokenId, name, hash, user, role, createdAt, revokedAt }: ListedItem,
): IssuedToken => ({
  id: tokenId,
  name,
  hash,
  user,
  account,
  role,
  createdAt,
  ...(revokedAt !== undefined && { revokedAt }),
});

const setRevokedAt = async (
  { client, table }: DirectoryItems,
  key: DirectoryKey,
  revokedAt: string,
): Promise<void> => {
  await client.send(
    new UpdateCommand({
      TableName: table,
      Key: key,
      UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :revokedAt)',
      ExpressionAttributeValues: { ':revokedAt': revokedAt },
    }),
  );
};

/** How long a caller waits until the use of the token is noted: a note is not worth more. */
const NOTE_DEADLINE_MS = 500;

/** Reads access tokens from table Directory, by the token's hash, and notes their uses. */
export class DynamoDbAccessTokens implements AccessTokens {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async findPrincipal(tokenHash: string): Promise<TokenPrincipal | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: tokenKey(tokenHash), ConsistentRead: true }),
    );
    if (Item === undefined || Item.revokedAt !== undefined) return undefined;
    const { user, account, role, lastUsedAt } = Item as TokenPrincipal;
    return { user, account, role, ...(lastUsedAt !== undefined && { lastUsedAt }) };
  }

  async noteUse(
    tokenHash: string,
    { usedAt, unlessAfter }: { usedAt: string; unlessAfter: string },
  ): Promise<void> {
    const update = new UpdateCommand({
      TableName: this.#table,
      Key: tokenKey(tokenHash),
      UpdateExpression: 'SET lastUsedAt = :usedAt',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :unlessAfter)',
      ExpressionAttributeValues: { ':usedAt': usedAt, ':unlessAfter': unlessAfter },
    });
    const abortSignal = AbortSignal.timeout(NOTE_DEADLINE_MS);
    await ifConditionHolds(this.#client.send(update, { abortSignal }));
  }
}
