import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type {
  EveryIntegration,
  Integration,
  IntegrationKey,
  IntegrationReader,
} from '../../core/integration/integration.ts';
import { DynamoDbTable } from './dynamodb-table.ts';

/**
 * Reads table Integrations: key `account`, `id`; an item has the members of an Integration, and
 * `writeId`, see `DynamoDbWritableIntegrations`.
 */
export class DynamoDbIntegrations
  extends DynamoDbTable
  implements IntegrationReader, EveryIntegration
{
  async find(account: string, id: string): Promise<Integration | undefined> {
    const item = await this.getItem<IntegrationItem>({ account, id });
    return item && integrationIn(item);
  }

  async findAll(
    keys: readonly IntegrationKey[],
  ): Promise<readonly (Integration | undefined | Error)[]> {
    const plain = keys.map(({ account, id }) => ({ account, id }));
    const items = await this.getItems<IntegrationItem>(plain);
    return items.map((item) => (item instanceof Error ? item : item && integrationIn(item)));
  }

  async listOf(account: string): Promise<readonly Integration[]> {
    return this.pageOf(account, {});
  }

  async pageOf(
    account: string,
    { limit, after }: { limit?: number; after?: string | undefined },
  ): Promise<readonly Integration[]> {
    const integrations: Integration[] = [];
    const pages = this.queryPages({ ...idsOf(account, after), Limit: limit });
    for await (const { Items = [] } of pages) {
      integrations.push(...Items.map(integrationIn));
      if (limit !== undefined && integrations.length >= limit) break;
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
    const { Items = [], LastEvaluatedKey } = await this.client.send(
      new ScanCommand({
        TableName: this.table,
        ...(after && { ExclusiveStartKey: { account: after.account, id: after.id } }),
      }),
    );
    return {
      integrations: Items.map(integrationIn),
      ...(LastEvaluatedKey && { next: LastEvaluatedKey as IntegrationKey }),
    };
  }

  async countOf(account: string): Promise<number> {
    const pages = this.queryPages({ ...idsOf(account), Select: 'COUNT' });
    let count = 0;
    for await (const { Count = 0 } of pages) count += Count;
    return count;
  }
}

/** An integration as it is stored. */
export type IntegrationItem = Record<string, unknown>;

const integrationIn = ({ writeId: _, ...members }: IntegrationItem): Integration =>
  members as unknown as Integration;

const idsOf = (account: string, after?: string) => ({
  KeyConditionExpression: `account = :account${after === undefined ? '' : ' AND id > :after'}`,
  ExpressionAttributeValues: {
    ':account': account,
    ...(after !== undefined && { ':after': after }),
  },
});
