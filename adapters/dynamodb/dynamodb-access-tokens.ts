import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccessTokens, TokenPrincipal } from '../../core/directory/authenticate.ts';
import { tokenKey } from './directory-keys.ts';
import { ifConditionHolds } from './writes.ts';

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
