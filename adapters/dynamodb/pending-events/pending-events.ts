import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { headSchema } from '../../../core/delivery/delivery-queue.ts';
import type { PendingEvent, PendingEvents } from '../../../core/delivery/pending/pending-events.ts';
import { mergedPage, mergedReads } from '../table/paging.ts';
import type { Order, ReadPage } from '../table/stored-deliveries.ts';
import { inflated, type PartitionedKey, partitionsOf } from '../table/stored-deliveries.ts';
import { parsedChange } from '../table/stream-records.ts';
import { batchWrite, executeInBatches } from '../table/writes.ts';
import {
  DynamoDbPendingStore,
  type PendingItem,
  pendingKey,
  SET_ASIDE_PREFIX,
} from './pending-store.ts';

/** A call reads at least so many items of a partition, if there are so many. */
const LEAST_READ = 16;

const PURGED_PAGE = 100;

interface Options {
  readonly newVersion?: () => string;
  /** Gets the keys of a page's items that cannot be read, and why the first cannot. */
  readonly onUnreadable?: (keys: readonly PartitionedKey[], fault: unknown) => void;
}

/** Items that cannot be read stay, and no others wait for them. */
export class DynamoDbPendingEvents extends DynamoDbPendingStore implements PendingEvents {
  readonly #onUnreadable: NonNullable<Options['onUnreadable']>;

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    { onUnreadable = () => {}, ...options }: Options = {},
  ) {
    super(client, table, options);
    this.#onUnreadable = onUnreadable;
  }

  /** DynamoDB reads at most 1 MB of a partition: fewer than `limit` when bodies are large. */
  async oldest(
    integration: string,
    limit: number,
    options?: { after: string },
  ): Promise<readonly PendingEvent[]> {
    for await (const page of this.pages(integration, { limit, ...options })) return page;
    return [];
  }

  async newest(integration: string, limit: number): Promise<readonly PendingEvent[]> {
    const found: PendingEvent[] = [];
    let after: string | undefined;
    do {
      const more = after === undefined ? limit : Math.max(LEAST_READ, limit);
      const read = { limit: more, after, order: 'newest first' } as const;
      const pages = partitionsOf(integration).map((partition) => this.#read(partition, read));
      const { items, readTo } = mergedPage(await Promise.all(pages), 'newest first');
      found.push(...this.#readable(items));
      after = readTo;
    } while (after !== undefined && found.length < limit);
    return found.slice(0, limit);
  }

  /** Partitions are eighths, chosen by a hash of the event's id. */
  async sample(
    integration: string,
    { after, limit, random }: { after?: string | undefined; limit: number; random: number },
  ): Promise<readonly PendingEvent[]> {
    const partitions = partitionsOf(integration);
    const start = Math.floor(random * partitions.length);
    for (const partition of [...partitions.slice(start), ...partitions.slice(0, start)]) {
      for (const from of after === undefined ? [undefined] : [after, undefined]) {
        const { items } = await this.#read(partition, { limit, after: from });
        const readable = this.#readable(items);
        if (readable.length > 0) return readable;
      }
    }
    return [];
  }

  async *pages(
    integration: string,
    { limit, after: start, last }: { limit: number; after?: string | undefined; last?: string },
  ): AsyncGenerator<readonly PendingEvent[]> {
    const perRead = Math.max(LEAST_READ, limit);
    const pages = mergedReads(
      partitionsOf(integration),
      (partition, after = start) => this.#read(partition, { limit: perRead, after, last }),
      { limit, least: Math.ceil(perRead / 4) },
    );
    for await (const items of pages) {
      const page = this.#readable(items);
      if (page.length > 0) yield page;
    }
  }

  #readable(items: readonly PendingItem[]): readonly PendingEvent[] {
    const results = items.map(pendingOrFault);
    const unreadable = results.filter((result) => 'fault' in result);
    const [first] = unreadable;
    if (first) {
      this.#onUnreadable(
        unreadable.map(({ key }) => key),
        first.fault,
      );
    }
    return results.filter((result) => 'delivery' in result);
  }

  async countAttempt({ delivery, version }: PendingEvent): Promise<void> {
    await this.updateItem({
      Key: pendingKey(delivery),
      // Sets the sum instead of adding: a call repeated after a lost answer must count once.
      UpdateExpression: 'SET priorAttempts = :attempts',
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: {
        ':attempts': delivery.priorAttempts + 1,
        ':version': version,
      },
    });
  }

  async removeAsRead({ delivery, version }: PendingEvent): Promise<void> {
    await this.deleteItem({
      Key: pendingKey(delivery),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': version },
    });
  }

  /** In batches of statements. A statement that failed is repeated as a single call. */
  async removeAllAsRead(page: readonly PendingEvent[]): Promise<void> {
    const Statement = `DELETE FROM "${this.table}" WHERE "partition" = ? AND "entry" = ? AND "version" = ?`;
    const codes = await executeInBatches(
      this,
      page.map(({ delivery, version }) => {
        const { partition, entry } = pendingKey(delivery);
        return { Statement, Parameters: [partition, entry, version] };
      }),
    );
    const undone = page.filter((_, index) => !DONE.has(codes[index]));
    await Promise.all(undone.map((pending) => this.removeAsRead(pending)));
  }

  async purgePage(integration: string): Promise<boolean> {
    const emptied = await Promise.all(
      partitionsOf(integration).map((partition) => this.#purgePartition(partition)),
    );
    return emptied.every((isEmpty) => isEmpty);
  }

  async #purgePartition(partition: string): Promise<boolean> {
    const { Items = [] } = await this.query({
      KeyConditionExpression: '#partition = :partition',
      ProjectionExpression: '#partition, entry',
      ExpressionAttributeNames: { '#partition': 'partition' },
      ExpressionAttributeValues: { ':partition': partition },
      Limit: PURGED_PAGE,
    });
    const deletions = Items.map((Key) => ({ DeleteRequest: { Key } }));
    await batchWrite(this, deletions);
    return Items.length === 0;
  }

  async #read(
    partition: string,
    { limit, after, last = SET_ASIDE_PREFIX, order = 'oldest first' }: Read,
  ): Promise<ReadPage<PendingItem>> {
    const { Items = [], LastEvaluatedKey } = await this.query({
      KeyConditionExpression: '#partition = :partition AND entry <= :last',
      ExpressionAttributeNames: { '#partition': 'partition' },
      ExpressionAttributeValues: { ':partition': partition, ':last': last },
      ScanIndexForward: order === 'oldest first',
      Limit: limit,
      ExclusiveStartKey: after === undefined ? undefined : { partition, entry: after },
    });
    return { items: Items as PendingItem[], readTo: LastEvaluatedKey?.entry };
  }
}

interface Read {
  readonly limit: number;
  readonly after?: string | undefined;
  /** Inclusive. No entry is the bare prefix of the set-aside deliveries. */
  readonly last?: string | undefined;
  readonly order?: Order;
}

/** An item that is not there is no error. */
const DONE: ReadonlySet<string | undefined> = new Set([undefined, 'ConditionalCheckFailed']);

const itemSchema = headSchema.extend({ version: z.string(), dueAt: z.iso.datetime().optional() });

const pendingOrFault = (
  item: PendingItem,
): PendingEvent | { readonly key: PartitionedKey; readonly fault: unknown } => {
  const { partition, entry, reference, deflated: bytes, ...members } = item;
  try {
    const { version, dueAt, ...head } = parsedChange(itemSchema, { ...members, event: reference });
    const key = pendingKey(head);
    // Under another key it could not be removed, and would be read again and again.
    if (key.partition !== partition || key.entry !== entry) throw new Error('the key is another');
    return { delivery: { ...head, body: inflated(bytes) }, version, dueAt };
  } catch (fault) {
    return { key: { partition, entry }, fault };
  }
};
