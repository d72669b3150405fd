import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Order, PartitionedKey, ReadPage } from '../table/stored-deliveries.ts';
import { DynamoDbTable } from '../table/table.ts';

/** A condition on an item of table DeliveryLog, with the values of its placeholders. */
export interface Condition {
  readonly text: string;
  readonly names?: Readonly<Record<`#${string}`, string>>;
  readonly values?: Readonly<Record<`:${string}`, unknown>>;
}

/** Leaves expired items out: DynamoDB deletes them within days, not at once. */
const unexpired = (now: Date): Condition => ({
  text: 'expiresAt > :now',
  values: { ':now': Math.floor(now.getTime() / 1_000) },
});

export const isBetween = (from: string, to: string): Condition => ({
  text: 'entry BETWEEN :from AND :to',
  values: { ':from': from, ':to': to },
});

export const beginsWith = (prefix: string): Condition => ({
  text: 'begins_with(entry, :prefix)',
  values: { ':prefix': prefix },
});

const LISTED =
  '#partition, entry, account, #type, occurredAt, firstAttempt, latestAttempt, deliveredAt';
const LISTED_NAMES = { '#partition': 'partition', '#type': 'type' };

export interface PageQuery {
  readonly key: Condition;
  readonly conditions?: readonly Condition[];
  readonly order: Order;
  /** How many items are read. The conditions then leave some of them out. */
  readonly limit: number;
  readonly after?: string | undefined;
  readonly isListing?: boolean;
}

/** Reads of table DeliveryLog, strongly consistent. Expired items are left out, deleted or not. */
export class DeliveryLogQueries extends DynamoDbTable {
  readonly #now: () => Date;

  constructor(client: DynamoDBDocumentClient, table: string, options: { now: () => Date }) {
    super(client, table);
    this.#now = options.now;
  }

  async get<Item extends { expiresAt: number }>(key: PartitionedKey): Promise<Item | undefined> {
    const item = await this.getItem<Item>(key);
    return item && item.expiresAt > this.#now().getTime() / 1_000 ? item : undefined;
  }

  /** A page of one partition's items. `readTo` is the sort key of the last item read. */
  async page<Item>(
    partition: string,
    { key, conditions = [], order, limit, after, isListing = false }: PageQuery,
  ): Promise<ReadPage<Item>> {
    const filters = [unexpired(this.#now()), ...conditions];
    const all = [key, ...filters];
    const { Items = [], LastEvaluatedKey } = await this.query({
      KeyConditionExpression: `#partition = :partition AND ${key.text}`,
      FilterExpression: filters.map(({ text }) => text).join(' AND '),
      ...(isListing && { ProjectionExpression: LISTED }),
      ExpressionAttributeNames: Object.assign(
        isListing ? { ...LISTED_NAMES } : { '#partition': 'partition' },
        ...all.map(({ names }) => names),
      ),
      ExpressionAttributeValues: Object.assign(
        { ':partition': partition },
        ...all.map(({ values }) => values),
      ),
      ...(after !== undefined && { ExclusiveStartKey: { partition, entry: after } }),
      ScanIndexForward: order === 'oldest first',
      Limit: limit,
    });
    return { items: Items as Item[], readTo: LastEvaluatedKey?.entry };
  }
}
