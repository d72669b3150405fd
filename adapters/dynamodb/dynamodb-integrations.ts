import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import type {
  AccountIntegrations,
  ChangingIntegrations,
  Integration,
  IntegrationEpoch,
  IntegrationPages,
  IntegrationStore,
  NewIntegrations,
} from '../../core/integration/integration.ts';
import { ifConditionHolds } from './writes.ts';

/**
 * Table Integrations: key `account`, `id`; an item has the members of an Integration.
 * `DynamoDbTroubleStates` writes the trouble of an integration.
 */
export class DynamoDbIntegrations
  implements
    IntegrationStore,
    AccountIntegrations,
    IntegrationPages,
    NewIntegrations,
    ChangingIntegrations
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

  async pageOf(
    account: string,
    { limit, after }: { limit: number; after?: string | undefined },
  ): Promise<readonly Integration[]> {
    const pages = paginateQuery(
      { client: this.#client },
      { TableName: this.#table, ...idsOf(account, after), ConsistentRead: true, Limit: limit },
    );
    const integrations: Integration[] = [];
    for await (const { Items = [] } of pages) {
      integrations.push(...(Items as Integration[]));
      if (integrations.length >= limit) break;
    }
    return integrations.slice(0, limit);
  }

  async add(integration: Integration): Promise<'added' | 'exists'> {
    const put = new PutCommand({
      TableName: this.#table,
      Item: integration,
      ConditionExpression: 'attribute_not_exists(id)',
    });
    return (await ifConditionHolds(this.#client.send(put))) ? 'added' : 'exists';
  }

  async replace(
    integration: Integration,
    { account, id, epoch }: IntegrationEpoch,
  ): Promise<boolean> {
    const put = new PutCommand({
      TableName: this.#table,
      Item: { ...integration, account, id },
      ...ifEpochIs(epoch),
    });
    return (await ifConditionHolds(this.#client.send(put))) !== undefined;
  }

  async remove({ account, id, epoch }: IntegrationEpoch): Promise<boolean> {
    const remove = new DeleteCommand({
      TableName: this.#table,
      Key: { account, id },
      ...ifEpochIs(epoch),
    });
    return (await ifConditionHolds(this.#client.send(remove))) !== undefined;
  }
}

const idsOf = (account: string, after: string | undefined) => ({
  KeyConditionExpression: `account = :account${after === undefined ? '' : ' AND id > :after'}`,
  ExpressionAttributeValues: {
    ':account': account,
    ...(after !== undefined && { ':after': after }),
  },
});

/** The condition that the epoch is the same; false for a deleted integration, too. */
const ifEpochIs = (epoch: number) => ({
  ConditionExpression: 'epoch = :epoch',
  ExpressionAttributeValues: { ':epoch': epoch },
});
