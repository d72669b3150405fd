import {
  type IssuedToken,
  type IssuedTokens,
  TOKEN_PREFIX,
  type TokenUses,
} from '../../../core/directory/access-token.ts';
import type { AccessTokens, TokenPrincipal } from '../../../core/directory/authenticate.ts';
import { inChunks } from '../../../core/in-chunks.ts';
import { DynamoDbTable } from '../table/table.ts';
import { writeTogether } from '../table/writes.ts';
import {
  ABSENT,
  ACCOUNT_TOKEN_PREFIX,
  accountKey,
  accountTokenKey,
  type DirectoryItems,
  tokenKey,
  unlessRemoved,
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

/** By their hash, as `DynamoDbAccessTokens` reads them, and under their account. */
export const dynamoDbIssuedTokens = (items: DirectoryItems): IssuedTokens => ({
  find: async (account, id) => {
    const item = await items.get<ListedItem>(accountTokenKey(account, id));
    return item && issuedToken(account, item);
  },
  add: async (token) => {
    const { account, name, hash, ...both } = itemOf(token);
    const unmet = await writeTogether(items.client, [
      unlessRemoved(items.table, account),
      items.putting(accountTokenKey(account, token.id), { name, hash, ...both }, ABSENT),
      items.putting(tokenKey(hash), { account, ...both }, ABSENT),
    ]);
    if (unmet === undefined) return 'added';
    if (unmet === 0) return 'no-account';
    throw new Error(`Token id ${token.id} or its hash was drawn twice.`);
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
  revoke: async ({ account, id, hash }, revokedAt) => {
    const update = {
      TableName: items.table,
      UpdateExpression: 'SET revokedAt = :revokedAt, expiresAt = :expiresAt',
      ExpressionAttributeValues: { ':revokedAt': revokedAt, ':expiresAt': deletedAfter(revokedAt) },
    };
    await items.together(
      {
        Update: {
          ...update,
          Key: accountTokenKey(account, id),
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revokedAt)',
        },
      },
      { Update: { ...update, Key: tokenKey(hash) } },
    );
  },
  remove: async (tokens) => {
    for (const some of inChunks(tokens, REMOVED_AT_ONCE)) {
      await items.together(
        ...some.flatMap(({ account, id, hash }) => [
          items.deleting(tokenKey(hash)),
          items.deleting(accountTokenKey(account, id)),
        ]),
      );
    }
  },
});

/** A transaction has at most 100 writes. */
const REMOVED_AT_ONCE = 50;

const itemOf = ({ id, expiresAt, ...attributes }: IssuedToken) => ({
  tokenId: id,
  ...attributes,
  ...expiryOf({ id, expiresAt }),
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
