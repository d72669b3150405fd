import * as z from 'zod';
import type { Cursor } from '../../../core/delivery/delivery-log.ts';
import { positionIn } from '../../../core/delivery/delivery-log-reader.ts';
import { headSchema } from '../../../core/delivery/delivery-queue.ts';
import type { StoredState } from '../../../core/delivery/pending/pending-events.ts';
import type {
  PendingCount,
  PendingDelivery,
  PendingPage,
  PendingView,
  StoredEvents,
} from '../../../core/delivery/pending/pending-view.ts';
import { cursorAt } from '../../../core/json-ld/cursor.ts';
import { fillPage, mergedPage } from '../table/paging.ts';
import type { ReadPage } from '../table/stored-deliveries.ts';
import { PARTITIONS, partitionsOf } from '../table/stored-deliveries.ts';
import { DynamoDbTable } from '../table/table.ts';
import { pendingKey, SET_ASIDE_PREFIX, setAsideKey } from './pending-store.ts';

/** DynamoDB reads up to 1 MB of each partition at once, bodies included. */
const READS_OF_PAGE = 2;

const { account, event: reference } = headSchema.shape;

const storedHead = z.object({ account, entry: z.string(), reference });

type StoredHead = z.output<typeof storedHead>;

export class DynamoDbPendingView extends DynamoDbTable implements PendingView {
  async page(
    stored: StoredEvents,
    { limit, after }: { limit: number; after?: Cursor | undefined },
  ): Promise<PendingPage> {
    const { integration, state } = stored;
    const prefix = state === 'pending' ? '' : SET_ASIDE_PREFIX;
    const { items, next } = await fillPage((readTo) => this.#read(stored, limit, readTo), {
      limit,
      maxReads: READS_OF_PAGE,
      after: after && prefix + positionIn(after),
    });
    return {
      deliveries: items.map(({ account, reference }) => ({
        account,
        integration,
        event: reference,
      })),
      ...(next !== undefined && { next: cursorAt(next.slice(prefix.length)) }),
    };
  }

  /** Reads whole items: at worst 1,024 read units. */
  async count({ integration, state }: StoredEvents, upTo: number): Promise<PendingCount> {
    const counts = await Promise.all(
      partitionsOf(integration).map(async (partition) => {
        const { Count = 0, LastEvaluatedKey } = await this.query({
          ...deliveriesIn(partition, state),
          ConsistentRead: false,
          Select: 'COUNT',
          Limit: shareOf(upTo),
        });
        return { count: Count, isWhole: LastEvaluatedKey === undefined };
      }),
    );
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    return {
      count: Math.min(total, upTo),
      isExact: total <= upTo && counts.every(({ isWhole }) => isWhole),
    };
  }

  async isStored(delivery: PendingDelivery, state: StoredState): Promise<boolean> {
    const key = state === 'pending' ? pendingKey(delivery) : setAsideKey(delivery);
    return (await this.getItem(key, { ProjectionExpression: 'entry' })) !== undefined;
  }

  async #read(
    { integration, state }: StoredEvents,
    limit: number,
    after: string | undefined,
  ): Promise<ReadPage<StoredHead>> {
    const pages = await Promise.all(
      partitionsOf(integration).map((partition) =>
        this.#readPartition(partition, deliveriesIn(partition, state), { limit, after }),
      ),
    );
    return mergedPage(pages);
  }

  async #readPartition(
    partition: string,
    { ExpressionAttributeNames, ...condition }: ReturnType<typeof deliveriesIn>,
    { limit, after }: { limit: number; after: string | undefined },
  ): Promise<ReadPage<StoredHead>> {
    const { Items = [], LastEvaluatedKey } = await this.query({
      ...condition,
      ProjectionExpression: 'account, entry, #reference',
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#reference': 'reference' },
      ...(after !== undefined && { ExclusiveStartKey: { partition, entry: after } }),
      Limit: shareOf(limit),
      ConsistentRead: false,
    });
    // Items that cannot be read are left out; a retry or a replay logs them.
    const items = Items.flatMap((item) => storedHead.safeParse(item).data ?? []);
    return { items, readTo: LastEvaluatedKey?.entry };
  }
}

const deliveriesIn = (partition: string, state: StoredState) => ({
  KeyConditionExpression: `#partition = :partition AND ${
    state === 'pending' ? 'entry < :setAside' : 'begins_with(entry, :setAside)'
  }`,
  ExpressionAttributeNames: { '#partition': 'partition' },
  ExpressionAttributeValues: { ':partition': partition, ':setAside': SET_ASIDE_PREFIX },
});

/** A partition's share and three standard deviations, because chance does not share out evenly. */
const shareOf = (wanted: number): number =>
  Math.ceil(wanted / PARTITIONS + 3 * Math.sqrt(wanted / PARTITIONS)) + 1;
