import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PendingEvent, PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import { batchDelete } from './batch-delete.ts';
import { deflated, inflated } from './deflated-body.ts';
import { partitionsOf } from './integration-partitions.ts';
import { mergedPage, mergedReads, type Order, type ReadPage } from './paging.ts';
import { createPendingItemPuts } from './pending-item-puts.ts';
import { deliveriesIn, type PendingItem, pendingKey } from './pending-items.ts';
import { batchWrite, ifConditionHolds, ofVersion, type VersionCondition } from './writes.ts';

/** A call reads at least so many items of a partition, if there are so many. */
const LEAST_READ = 16;

/** Items of each partition that one page of a purge removes. */
const PURGED_PAGE = 100;

/**
 * Table PendingEvents: key `partition`, `entry`. The events of an integration are spread over
 * several partitions, each in the order of when the events occurred. An event is one item, with its
 * body.
 */
export class DynamoDbPendingEvents implements PendingEvents {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #newVersion: () => string;
  readonly #putItem: (item: PendingItem) => Promise<void>;

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    options: { newVersion: () => string },
  ) {
    this.#client = client;
    this.#table = table;
    this.#newVersion = options.newVersion;
    this.#putItem = createPendingItemPuts(client, table);
  }

  async put(
    given: Delivery,
    { messageId, dueAt }: { messageId: string; dueAt?: Date | undefined },
  ): Promise<void> {
    const { body, event, ...delivery } = given;
    await this.#putItem({
      ...delivery,
      ...pendingKey(given),
      reference: event,
      version: `${messageId}${this.#newVersion()}`,
      ...(dueAt && { dueAt: dueAt.toISOString() }),
      deflated: deflated(body),
    });
  }

  /**
   * Fewer than `limit` when bodies are large, because DynamoDB reads at most 1 MB of a partition at
   * once; none only when none is pending.
   */
  async oldest(integration: string, limit: number): Promise<readonly PendingEvent[]> {
    for await (const page of this.pages(integration, { limit })) return page;
    return [];
  }

  /** As `oldest`. */
  async newest(integration: string, limit: number): Promise<readonly PendingEvent[]> {
    const reads = partitionsOf(integration).map((partition) =>
      this.#read(partition, { limit, order: 'newest first' }),
    );
    const { items } = mergedPage(await Promise.all(reads), entryOf, 'newest first');
    return items.slice(0, limit).map(pendingOf);
  }

  async *pages(
    integration: string,
    { limit, after: start, last }: { limit: number; after?: string | undefined; last?: string },
  ): AsyncGenerator<readonly PendingEvent[]> {
    const perRead = Math.max(LEAST_READ, limit);
    const pages = mergedReads(
      partitionsOf(integration),
      (partition, after = start) => this.#read(partition, { limit: perRead, after, last }),
      { sortKeyOf: entryOf, limit, least: Math.ceil(perRead / 4) },
    );
    for await (const items of pages) yield items.map(pendingOf);
  }

  async countAttempt(
    { delivery, version }: PendingEvent,
    { refusedAt }: Pick<Delivery, 'refusedAt'>,
  ): Promise<void> {
    const update = new UpdateCommand({
      TableName: this.#table,
      Key: pendingKey(delivery),
      // Sets the sum instead of adding: a call repeated after a lost answer must count once.
      UpdateExpression: `SET priorAttempts = :attempts${refusedAt ? ', refusedAt = :refusedAt' : ''}`,
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: {
        ':attempts': delivery.priorAttempts + 1,
        ':version': version,
        ...(refusedAt && { ':refusedAt': refusedAt }),
      },
    });
    await ifConditionHolds(this.#client.send(update));
  }

  async removeOf(delivery: Delivery, { messageId }: { messageId: string }): Promise<void> {
    await this.#remove(delivery, ofMessage(messageId));
  }

  async removeAsRead({ delivery, version }: PendingEvent): Promise<void> {
    await this.#remove(delivery, ofVersion(version));
  }

  async removeAllAsRead(page: readonly PendingEvent[]): Promise<void> {
    await batchDelete(
      this.#client,
      this.#table,
      page.map(({ delivery, version }) => ({ key: { ...pendingKey(delivery) }, version })),
    );
  }

  async purgePage(integration: string): Promise<boolean> {
    const emptied = await Promise.all(
      partitionsOf(integration).map((partition) => this.#purgePartition(partition)),
    );
    return emptied.every((isEmpty) => isEmpty);
  }

  async #purgePartition(partition: string): Promise<boolean> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: '#partition = :partition',
        ProjectionExpression: '#partition, entry',
        ExpressionAttributeNames: { '#partition': 'partition' },
        ExpressionAttributeValues: { ':partition': partition },
        ConsistentRead: true,
        Limit: PURGED_PAGE,
      }),
    );
    await batchWrite(
      this.#client,
      this.#table,
      Items.map((key) => ({ remove: key })),
    );
    return Items.length === 0;
  }

  async #remove(delivery: Delivery, version: VersionCondition): Promise<void> {
    const Key = pendingKey(delivery);
    const remove = new DeleteCommand({ TableName: this.#table, Key, ...version });
    await ifConditionHolds(this.#client.send(remove));
  }

  async #read(
    partition: string,
    { limit, after, last, order = 'oldest first' }: Read,
  ): Promise<ReadPage<PendingItem>> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        ...(last === undefined ? deliveriesIn(partition, 'pending') : upTo(partition, last)),
        ConsistentRead: true,
        ScanIndexForward: order === 'oldest first',
        Limit: limit,
        ExclusiveStartKey: after === undefined ? undefined : { partition, entry: after },
      }),
    );
    return { items: Items as PendingItem[], readTo: LastEvaluatedKey?.entry };
  }
}

interface Read {
  readonly limit: number;
  readonly after?: string | undefined;
  /** Inclusive. */
  readonly last?: string | undefined;
  readonly order?: Order;
}

/** The condition of a query for the pending events up to a place. */
const upTo = (partition: string, last: string) => ({
  KeyConditionExpression: '#partition = :partition AND entry <= :last',
  ExpressionAttributeNames: { '#partition': 'partition' },
  ExpressionAttributeValues: { ':partition': partition, ':last': last },
});

const entryOf = ({ entry }: PendingItem): string => entry;

/** Any version that a message stored: such versions begin with the message's id. */
const ofMessage = (messageId: string): VersionCondition => ({
  ConditionExpression: 'begins_with(version, :version)',
  ExpressionAttributeValues: { ':version': messageId },
});

const pendingOf = (item: PendingItem): PendingEvent => {
  const { partition, entry, reference, version, dueAt, deflated: bytes, ...delivery } = item;
  return { delivery: { ...delivery, event: reference, body: inflated(bytes) }, version, dueAt };
};
