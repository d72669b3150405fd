import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Integration, IntegrationKey } from '../../../core/integration/integration.ts';
import type {
  EveryIntegration,
  IntegrationLists,
  StorePart,
} from '../../../core/integration/integration-store.ts';
import { DynamoDbIntegrationReader, integrationIn } from './integration-reader.ts';

export class DynamoDbIntegrationLists
  extends DynamoDbIntegrationReader
  implements IntegrationLists, EveryIntegration
{
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

  /** 1 MB at once: 128 read units, about a thousand integrations. May miss the latest changes. */
  async pageOfAll(
    after?: IntegrationKey,
    part?: StorePart,
  ): Promise<{ integrations: readonly Integration[]; next?: IntegrationKey }> {
    const { Items = [], LastEvaluatedKey } = await this.client.send(
      new ScanCommand({
        TableName: this.table,
        ...(part && { Segment: part.index, TotalSegments: part.of }),
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

const idsOf = (account: string, after?: string) => ({
  KeyConditionExpression: `account = :account${after === undefined ? '' : ' AND id > :after'}`,
  ExpressionAttributeValues: {
    ':account': account,
    ...(after !== undefined && { ':after': after }),
  },
});
