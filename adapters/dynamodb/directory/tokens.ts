import {
  type IssuedToken,
  TOKEN_PREFIX,
  type TokenCredentials,
  type TokenList,
  type TokenUses,
} from '../../../core/directory/access-token.ts';
import type { AccessTokens, TokenPrincipal } from '../../../core/directory/authenticate.ts';
import { DynamoDbTable } from '../table/table.ts';
import { batchWrite } from '../table/writes.ts';
import {
  ACCOUNT_TOKEN_PREFIX,
  accountKey,
  accountTokenKey,
  type DirectoryItems,
  type DirectoryKey,
  tokenKey,
} from './directory-items.ts';

const listingOf = (account: string) => ({
  pk: accountKey(account).pk,
  prefix: ACCOUNT_TOKEN_PREFIX,
});

const withoutSessions = (account: string) => ({
  ...listingOf(account),
  prefix: ACCOUNT_TOKEN_PREFIX + TOKEN_PREFIX,
});

/** After it is revoked or has expired. A token that DynamoDB has deleted opens nothing either. */
const KEPT_S = 30 * 86_400;

/** Seconds since 1970 at which DynamoDB may delete a token that ends at an instant. */
const deletedAfter = (instant: string): number => secondsOf(instant) + KEPT_S;

const secondsOf = (instant: string): number => Math.floor(Date.parse(instant) / 1_000);

/** `expiresAt` is DynamoDB's own: when it may delete an item. */
const expiryOf = ({ id, expiresAt: validUntil }: Pick<IssuedToken, 'id' | 'expiresAt'>) => {
  if (validUntil === undefined) return {};
  const isSession = !id.startsWith(TOKEN_PREFIX);
  return { validUntil, expiresAt: isSession ? secondsOf(validUntil) : deletedAfter(validUntil) };
};

/** Under their account. */
export const dynamoDbTokenList = (items: DirectoryItems): TokenList => {
  const find = async (account: string, id: string): Promise<IssuedToken | undefined> => {
    const item = await items.get<ListedItem>(accountTokenKey(account, id));
    return item && issuedToken(account, item);
  };
  return {
    find,
    add: async ({ account, id, expiresAt, ...attributes }) => {
      const key = accountTokenKey(account, id);
      // A second token of the id would take the first one's place in the list, which then lacks it.
      const item = { tokenId: id, ...attributes, ...expiryOf({ id, expiresAt }) };
      if ((await items.add(key, item)) === 'added') return;
      if ((await find(account, id))?.hash !== attributes.hash)
        throw new Error(`Token id ${id} was drawn twice.`);
    },
    listOf: async (account) => {
      const found = await items.all<ListedItem>(listingOf(account));
      return found.map((item) => issuedToken(account, item));
    },
    pageOf: async (account, page) => {
      const { found, next } = await items.pageOf<ListedItem>(withoutSessions(account), {
        limit: page.limit,
        after: page.after?.slice(TOKEN_PREFIX.length),
        isDescending: true,
      });
      const tokens = found.map((item) => issuedToken(account, item));
      return { tokens, ...(next !== undefined && { next: TOKEN_PREFIX + next }) };
    },
    countOf: (account) => items.countOf(withoutSessions(account)),
    markRevoked: ({ account, id }, revokedAt) =>
      setRevokedAt(items, accountTokenKey(account, id), {
        revokedAt,
        mustExist: true,
      }),
    remove: (tokens) =>
      batchWrite(
        items,
        tokens.map(({ account, id }) => ({ DeleteRequest: { Key: accountTokenKey(account, id) } })),
      ),
  };
};

/** By their hash; `DynamoDbAccessTokens` reads them. */
export const dynamoDbTokenCredentials = (items: DirectoryItems): TokenCredentials => ({
  add: ({ hash, id, user, account, role, createdAt, expiresAt }) => {
    const item = { tokenId: id, user, account, role, createdAt, ...expiryOf({ id, expiresAt }) };
    return items.add(tokenKey(hash), item);
  },
  // Creates the item if there is none, so that an `add` that is still under way finds an item.
  revoke: ({ hash }, revokedAt) => setRevokedAt(items, tokenKey(hash), { revokedAt }),
  erase: (tokens, { revokedAt, expiresAt }) => {
    const invalid = {
      revokedAt: revokedAt.toISOString(),
      expiresAt: Math.floor(expiresAt.getTime() / 1_000),
    };
    return batchWrite(
      items,
      tokens.map(({ hash }) => ({ PutRequest: { Item: { ...tokenKey(hash), ...invalid } } })),
    );
  },
});

export const dynamoDbTokenUses = (items: DirectoryItems): TokenUses => ({
  lastUsesOf: async (hashes) => {
    const found = await items.getItems<{ lastUsedAt?: string }>(hashes.map(tokenKey));
    return found.map((item) => {
      if (item instanceof Error) throw item;
      return item?.lastUsedAt;
    });
  },
});

type ListedItem = Omit<IssuedToken, 'account' | 'id' | 'expiresAt'> & {
  readonly tokenId: string;
  readonly validUntil?: string;
  readonly expiresAt?: number;
};

const issuedToken = (
  account: string,
  { tokenId, validUntil, expiresAt: _, ...token }: ListedItem,
): IssuedToken => ({
  id: tokenId,
  account,
  ...token,
  ...(validUntil !== undefined && { expiresAt: validUntil }),
});

const setRevokedAt = async (
  items: DirectoryItems,
  key: DirectoryKey,
  { revokedAt, mustExist = false }: { revokedAt: string; mustExist?: boolean },
): Promise<void> => {
  await items.updateItem({
    Key: key,
    UpdateExpression: 'SET revokedAt = :revokedAt, expiresAt = :expiresAt',
    ConditionExpression: `${mustExist ? 'attribute_exists(pk) AND ' : ''}attribute_not_exists(revokedAt)`,
    ExpressionAttributeValues: { ':revokedAt': revokedAt, ':expiresAt': deletedAfter(revokedAt) },
  });
};

/** How long a caller waits until the use of the token is noted: a note is not worth more. */
const NOTE_DEADLINE_MS = 500;

type TokenItem = Omit<TokenPrincipal, 'token' | 'expiresAt'> & {
  readonly tokenId: string;
  readonly validUntil?: string;
  readonly revokedAt?: string;
};

/** Reads access tokens from table Directory, by the token's hash, and notes their uses. */
export class DynamoDbAccessTokens extends DynamoDbTable implements AccessTokens {
  async findPrincipal(tokenHash: string): Promise<TokenPrincipal | undefined> {
    const item = await this.getItem<TokenItem>(tokenKey(tokenHash));
    if (item === undefined || item.revokedAt !== undefined) return undefined;
    const { user, account, role, tokenId: token, lastUsedAt, validUntil } = item;
    return {
      ...{ user, account, role, token },
      ...(lastUsedAt !== undefined && { lastUsedAt }),
      ...(validUntil !== undefined && { expiresAt: validUntil }),
    };
  }

  async noteUse(
    tokenHash: string,
    { usedAt, unlessAfter }: { usedAt: string; unlessAfter: string },
  ): Promise<void> {
    const update = {
      Key: tokenKey(tokenHash),
      UpdateExpression: 'SET lastUsedAt = :usedAt',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :unlessAfter)',
      ExpressionAttributeValues: { ':usedAt': usedAt, ':unlessAfter': unlessAfter },
    };
    const abortSignal = AbortSignal.timeout(NOTE_DEADLINE_MS);
    await this.updateItem(update, { abortSignal });
  }
}
