import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { UserSignatures } from '../../core/directory/user.ts';
import { signatureKey, userKey } from './directory-keys.ts';

/** Signatures in table Directory: a user and the user's signature are read by one query. */
export class DynamoDbUserSignatures implements UserSignatures {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async findSignature(user: string): Promise<{ account: string; content: string } | undefined> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :user',
        ExpressionAttributeValues: { ':user': userKey(user).pk },
        ConsistentRead: true,
      }),
    );
    const found = Items.find(({ sk }) => sk === userKey(user).sk);
    const signature = Items.find(({ sk }) => sk === signatureKey(user).sk);
    return found && { account: found.primaryAccount, content: signature?.content ?? '' };
  }
}
