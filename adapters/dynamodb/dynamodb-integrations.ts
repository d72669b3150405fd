import { randomUUID } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type {
  AccountIntegrations,
  ChangingIntegrations,
  EveryIntegration,
  Integration,
  IntegrationBatches,
  IntegrationCounts,
  IntegrationEpoch,
  IntegrationKey,
  IntegrationPages,
  IntegrationStore,
  NewIntegrations,
} from '../../core/integration/integration.ts';
import { batchGet } from './batch-get.ts';
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
    IntegrationBatches,
    AccountIntegrations,
    IntegrationPages,
    EveryIntegration,
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

  async findAll(
    keys: readonly { readonly account: string; readonly id: string }[],
  ): Promise<readonly (Integration | undefined | Error)[]> {
    const plain = keys.map(({ account, id }) => ({ account, id }));
    const items = await batchGet<Item>(this.#client, this.#table, plain);
    return items.map((item) => (item instanceof Error ? item : item && integrationIn(item)));
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

  /**
   * 1 MB of the table at once: 128 read units, for about a thousand integrations. May miss the
   * latest changes.
   */
  async pageOfAll(
    after?: IntegrationKey,
  ): Promise<{ integrations: readonly Integration[]; next?: IntegrationKey }> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new ScanCommand({
        TableName: this.#table,
        ...(after && { ExclusiveStartKey: { account: after.account, id: after.id } }),
      }),
    );
    return {
      integrations: Items.map(integrationIn),
      ...(LastEvaluatedKey && { next: LastEvaluatedKey as IntegrationKey }),
    };
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
    const writeId = randomUUID();
    const put = new PutCommand({
      TableName: this.#table,
      Item: { ...integration, writeId },
      ConditionExpression: 'attribute_not_exists(id)',
    });
    const added =
      (await ifConditionHolds(this.#client.send(put))) || (await this.#has(integration, writeId));
    return added ? 'added' : 'exists';
  }

  async replace(
    integration: Integration,
    { account, id, epoch }: IntegrationEpoch,
  ): Promise<boolean> {
    const writeId = randomUUID();
    const update = new UpdateCommand({
      TableName: this.#table,
      Key: { account, id },
      ...settingMembers({ ...integration, writeId }, epoch),
    });
    if (await ifConditionHolds(this.#client.send(update))) return true;
    return this.#has({ account, id }, writeId);
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

  /** Whether the latest write of all members is the one with this id. */
  async #has(key: Pick<Integration, 'account' | 'id'>, writeId: string): Promise<boolean> {
    return (await this.#read(key))?.writeId === writeId;
  }

  async #read({ account, id }: Pick<Integration, 'account' | 'id'>): Promise<Item | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { account, id }, ConsistentRead: true }),
    );
    return Item;
  }
}

type Item = Record<string, unknown>;

/** Members that others write at any time: a change of the rest does not touch them. */
const OTHERS = ['account', 'id', 'confirmedAt', 'slowness', 'setAside'];

/** Members that an integration may lack. */
const OPTIONAL = ['trouble', 'streak', 'idempotencyKey'];

/** The update that gives an integration in an epoch all members of another, and removes the rest. */
const settingMembers = (members: Item, epoch: number) => {
  const given = Object.entries(members).filter(
    ([name, value]) => value !== undefined && !OTHERS.includes(name),
  );
  const absent = OPTIONAL.filter((name) => members[name] === undefined);
  const sets = given.map((_, index) => `#set${index} = :set${index}`);
  const removes = absent.map((_, index) => `#absent${index}`);
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ConditionExpression: 'epoch = :epoch',
    ExpressionAttributeNames: Object.fromEntries([
      ...given.map(([name], index) => [`#set${index}`, name]),
      ...absent.map((name, index) => [`#absent${index}`, name]),
    ]),
    ExpressionAttributeValues: Object.fromEntries([
      [':epoch', epoch],
      ...given.map(([, value], index) => [`:set${index}`, value]),
    ]),
  };
};

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
