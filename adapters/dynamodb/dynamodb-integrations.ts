import { randomUUID } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import type {
  AccountIntegrations,
  ChangingIntegrations,
  Integration,
  IntegrationCounts,
  IntegrationEpoch,
  IntegrationPages,
  IntegrationStore,
  NewIntegrations,
} from '../../core/integration/integration.ts';
import { ifConditionHolds } from './writes.ts';

/**
 * Table Integrations: key `account`, `id`; an item has the members of an Integration, and `writeId`,
 * which is drawn anew each time the integration is put. `DynamoDbTroubleStates` writes the trouble
 * of an integration.
 *
 * When the answer to a conditional write is lost, the SDK sends the write again, and the condition
 * does not hold any more because of the write itself. So a write whose condition does not hold looks
 * at what is stored: an item that has the `writeId` of this put is this put's, and an integration
 * that is gone is removed.
 */
export class DynamoDbIntegrations
  implements
    IntegrationStore,
    AccountIntegrations,
    IntegrationPages,
    IntegrationCounts,
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
    const item = await this.#read({ account, id });
    return item && integrationIn(item);
  }

  async listOf(account: string): Promise<readonly Integration[]> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        ...idsOf(account),
        ConsistentRead: true,
      },
    );
    const integrations: Integration[] = [];
    for await (const { Items = [] } of pages) integrations.push(...Items.map(integrationIn));
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
      integrations.push(...Items.map(integrationIn));
      if (integrations.length >= limit) break;
    }
    return integrations.slice(0, limit);
  }

  async countOf(account: string): Promise<number> {
    const pages = paginateQuery(
      { client: this.#client },
      { TableName: this.#table, ...idsOf(account), ConsistentRead: true, Select: 'COUNT' },
    );
    let count = 0;
    for await (const { Count = 0 } of pages) count += Count;
    return count;
  }

  async add(integration: Integration): Promise<'added' | 'exists'> {
    const condition = { ConditionExpression: 'attribute_not_exists(id)' };
    return (await this.#put(integration, condition)) ? 'added' : 'exists';
  }

  replace(integration: Integration, { account, id, epoch }: IntegrationEpoch): Promise<boolean> {
    return this.#put({ ...integration, account, id }, ifEpochIs(epoch));
  }

  async remove({ account, id, epoch }: IntegrationEpoch): Promise<boolean> {
    const remove = new DeleteCommand({
      TableName: this.#table,
      Key: { account, id },
      ...ifEpochIs(epoch),
    });
    if (await ifConditionHolds(this.#client.send(remove))) return true;
    return (await this.#read({ account, id })) === undefined;
  }

  /** Whether the integration was put. */
  async #put(integration: Integration, condition: Condition): Promise<boolean> {
    const writeId = randomUUID();
    const put = new PutCommand({
      TableName: this.#table,
      Item: { ...integration, writeId },
      ...condition,
    });
    if (await ifConditionHolds(this.#client.send(put))) return true;
    return (await this.#read(integration))?.writeId === writeId;
  }

  async #read({ account, id }: Pick<Integration, 'account' | 'id'>): Promise<Item | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { account, id }, ConsistentRead: true }),
    );
    return Item;
  }
}

type Item = Record<string, unknown>;

type Condition = Pick<PutCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;

const integrationIn = ({ writeId: _, ...members }: Item): Integration =>
  members as unknown as Integration;

const idsOf = (account: string, after?: string) => ({
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
