import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { EventReference } from '../../core/delivery/delivery.ts';
import type { Cursor } from '../../core/delivery/delivery-log.ts';
import { cursorAt, positionOf } from '../../core/delivery/shown/delivery-cursor.ts';
import type {
  PendingCount,
  PendingDelivery,
  PendingPage,
  PendingView,
} from '../../core/delivery/shown/list-pending-events.ts';
import { PIECE_PREFIX } from './dynamodb-body-pieces.ts';
import { pendingKey } from './dynamodb-pending-events.ts';
import { fillPage, type ReadPage } from './filled-page.ts';

/** DynamoDB reads 1 MB at once, bodies included: about three events of the largest items. */
const READS_OF_PAGE = 10;
/**
 * DynamoDB counts by reading whole items. At worst a count is 8 MB in 8 calls one after the other:
 * 1,024 read units, of the 3,000 a second that replays and retries need, too.
 */
const READS_OF_COUNT = 8;

/** An item without its body. */
interface StoredHead {
  readonly account: string;
  readonly integration: string;
  readonly event: string;
  readonly reference: EventReference;
}

/**
 * Reads table PendingEvents for the API. `DynamoDbPendingEvents` writes the table. If a process
 * died while it removed an event, the event is shown as pending until `DynamoDbPendingEvents`
 * completes the removal.
 */
export class DynamoDbPendingView implements PendingView {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async page(
    integration: string,
    { limit, after }: { limit: number; after?: Cursor },
  ): Promise<PendingPage> {
    const { items, next } = await fillPage((readTo) => this.#read(integration, limit, readTo), {
      limit,
      maxReads: READS_OF_PAGE,
      after: after && positionOf(after),
      sortKeyOf: ({ event }) => event,
    });
    return {
      deliveries: items.map(({ account, reference }) => ({
        account,
        integration,
        event: reference,
      })),
      ...(next !== undefined && { next: cursorAt(next) }),
    };
  }

  async count(integration: string, upTo: number): Promise<PendingCount> {
    let count = 0;
    let readTo: Record<string, unknown> | undefined;
    for (let reads = 0; reads < READS_OF_COUNT && count <= upTo; reads += 1) {
      const { Count = 0, LastEvaluatedKey } = await this.#client.send(
        new QueryCommand({
          ...this.#eventsOf(integration),
          Select: 'COUNT',
          ...(readTo && { ExclusiveStartKey: readTo }),
        }),
      );
      count += Count;
      if (LastEvaluatedKey === undefined && count <= upTo) return { count, isExact: true };
      readTo = LastEvaluatedKey;
    }
    return { count: Math.min(count, upTo), isExact: false };
  }

  async isPending(delivery: PendingDelivery): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: pendingKey(delivery),
        ProjectionExpression: 'integration',
        ConsistentRead: true,
      }),
    );
    return Item !== undefined;
  }

  async #read(
    integration: string,
    limit: number,
    after: string | undefined,
  ): Promise<ReadPage<StoredHead>> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        ...this.#eventsOf(integration),
        ProjectionExpression: 'account, event, #reference',
        ExpressionAttributeNames: { '#reference': 'reference' },
        ...(after !== undefined && { ExclusiveStartKey: { integration, event: after } }),
        ConsistentRead: true,
        Limit: limit + 1,
      }),
    );
    return { items: Items as StoredHead[], readTo: LastEvaluatedKey?.event };
  }

  /** Leaves out the pieces of large bodies, which sort after the events. */
  #eventsOf(integration: string) {
    return {
      TableName: this.#table,
      KeyConditionExpression: 'integration = :integration AND event < :pieces',
      ExpressionAttributeValues: { ':integration': integration, ':pieces': PIECE_PREFIX },
    };
  }
}
