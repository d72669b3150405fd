import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StatisticsView } from '../../core/delivery/statistics/get-statistics.ts';
import type { Hour, Tally } from '../../core/delivery/statistics/tally.ts';
import { type StatisticsItem, TALLY_ATTRIBUTES, tallyIn } from './statistics-items.ts';

/** Reads table Statistics. The 720 hours of 30 days are at most 1 MB: a page or two. */
export class DynamoDbStatisticsView implements StatisticsView {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async hoursSince(integration: string, first: Hour): Promise<ReadonlyMap<Hour, Tally>> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'integration = :integration AND #hour >= :first',
        ProjectionExpression: ['#hour', ...TALLY_ATTRIBUTES].join(', '),
        ExpressionAttributeNames: { '#hour': 'hour' },
        ExpressionAttributeValues: { ':integration': integration, ':first': first },
      },
    );
    const tallies = new Map<Hour, Tally>();
    for await (const { Items = [] } of pages) {
      for (const item of Items as StatisticsItem[]) tallies.set(String(item.hour), tallyIn(item));
    }
    return tallies;
  }
}
