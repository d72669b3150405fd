import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { AccessTokens } from '../../core/directory/authenticate.ts';
import type { Principal } from '../../core/directory/principal.ts';
import { tokenKey } from './directory-keys.ts';

/** Reads access tokens from table Directory, by the token's hash. */
export class DynamoDbAccessTokens implements AccessTokens {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async findPrincipal(tokenHash: string): Promise<Principal | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: tokenKey(tokenHash), ConsistentRead: true }),
    );
    if (Item === undefined || Item.revokedAt !== undefined) return undefined;
    const { user, account, role } = Item as Principal;
    return { user, account, role };
  }
}
