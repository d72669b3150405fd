import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import type {
  AccountIntegrations,
  Integration,
  IntegrationStore,
  NewIntegrations,
} from '../../core/integrations/integration.ts';

/** Table Integrations: key `account`, `id`; an item is an Integration as it is. */
export class DynamoDbIntegrations
  implements IntegrationStore, AccountIntegrations, NewIntegrations
{
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(account: string, id: string): Promise<Integration | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { account, id }, ConsistentRead: true }),
    );
    return Item as Integration | undefined;
  }

  async listOf(account: string): Promise<readonly Integration[]> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'account = :account',
        ExpressionAttributeValues: { ':account': account },
        ConsistentRead: true,
      },
    );
    const integrations: Integration[] = [];
    for await (const { Items = [] } of pages) integrations.push(...(Items as Integration[]));
    return integrations;
  }

  async add(integration: Integration): Promise<'added' | 'exists'> {
    try {
      await this.#client.send(
        new PutCommand({
          TableName: this.#table,
          Item: integration,
          ConditionExpression: 'attribute_not_exists(id)',
        }),
      );
      return 'added';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'exists';
      throw error;
    }
  }
}
