import type { Attempt } from '../../../core/delivery/attempt.ts';
import type { Cursor } from '../../../core/delivery/delivery-log.ts';
import {
  type DeliveryFilter,
  type DeliveryLogReader,
  type DeliveryPage,
  type LoggedDelivery,
  type LogPosition,
  positionIn,
  type Wanted,
} from '../../../core/delivery/delivery-log-reader.ts';
import { cursorAt } from '../../../core/json-ld/cursor.ts';
import { fillPage, mergedPage } from '../table/paging.ts';
import { partitionNumbered, partitionOf, partitionsOf } from '../table/stored-deliveries.ts';
import {
  type AttemptItem,
  attemptsPrefix,
  type DeliveryItem,
  deliveryKey,
  END_OF_LISTING,
  type StoredAttempt,
} from './delivery-log-items.ts';
import {
  beginsWith,
  DeliveryLogQueries,
  isBetween,
  type PageQuery,
} from './delivery-log-queries.ts';
import { findItem } from './find-item.ts';
import { attemptsFrom, bodyIn, conditionsOf, deliveryOf } from './listed-deliveries.ts';

interface Reads {
  readonly most: number;
  /** The most items of a read, of each of the eight partitions. Items have about 800 bytes. */
  readonly items: number;
}

/** A caller's page whose filter finds nothing reads up to 1,424 items: 1.1 MB, 285 read units. */
const READS_OF_PAGE: Reads = { most: 3, items: 64 };
/** A recovery walks the whole log: up to 5,700 items at once. */
const READS_OF_WALK: Reads = { most: 5, items: 256 };
/** The deliveries of a page are spread over the partitions, seldom evenly. */
const LEAST_OF_READ = 8;
/** Usually the first read finds enough. Where filters leave nearly all out, each read is larger. */
const GROWTH_OF_READS = 4;
const LATEST_ATTEMPTS = 1_000;
/** An attempt has at most some 1.5 KB, and DynamoDB reads no more than 1 MB at once. */
const READS_OF_ATTEMPTS = 4;
/** Sorts before the entry of every delivery. */
const START_OF_LISTING = '!';

/** A range of sort keys. Neither end is the key of an item. */
interface Range {
  readonly from: string;
  readonly to: string;
}

interface ListQuery extends Omit<PageQuery, 'key'> {
  readonly range: Range;
  readonly reads: Reads;
}

export class DynamoDbDeliveryLogReader extends DeliveryLogQueries implements DeliveryLogReader {
  async newest(
    integration: string,
    { filter, limit, after }: { filter: DeliveryFilter; limit: number; after?: Cursor | undefined },
  ): Promise<DeliveryPage> {
    const range = rangeOf(filter);
    const position = after && positionIn(after);
    if (position && position < range.from) return { deliveries: [] };
    return this.#list(integration, {
      range,
      order: 'newest first',
      conditions: conditionsOf(filter),
      limit,
      after: position,
      reads: READS_OF_PAGE,
    });
  }

  async undelivered(
    integration: string,
    { since, limit, after }: { since: Date; limit: number; after?: Cursor | undefined },
  ): Promise<DeliveryPage> {
    return this.#list(integration, {
      range: rangeOf({ since }),
      order: 'oldest first',
      conditions: conditionsOf({ isDelivered: false }),
      limit,
      after: after && positionIn(after),
      reads: READS_OF_WALK,
    });
  }

  async find(integration: string, eventId: string): Promise<LoggedDelivery | undefined> {
    const item = await findItem(this, integration, eventId);
    return item && deliveryOf(item);
  }

  /** Many events can have occurred at one instant, as in an import: all pages are read. */
  async at(
    integration: string,
    { occurredAt, part }: LogPosition,
    { filter, isWanted }: Wanted,
  ): Promise<readonly LoggedDelivery[]> {
    const instant = new Date(occurredAt).toISOString();
    const found: LoggedDelivery[] = [];
    let after: string | undefined;
    do {
      const { items, readTo } = await this.page<DeliveryItem>(
        partitionNumbered(integration, part),
        {
          key: beginsWith(`${instant}#`),
          conditions: conditionsOf(filter),
          order: 'newest first',
          limit: 1_000,
          after,
        },
      );
      for (const item of items) {
        const delivery = deliveryOf(item);
        if (delivery && isWanted(delivery, bodyIn(item) ?? '')) found.push(delivery);
      }
      after = readTo;
    } while (after !== undefined);
    return found;
  }

  async bodyOf(delivery: LoggedDelivery): Promise<string | undefined> {
    const item = await this.get<DeliveryItem>(deliveryKey(delivery));
    return item && bodyIn(item);
  }

  async attemptsOf(delivery: LoggedDelivery): Promise<readonly Attempt[]> {
    const [item, later] = await Promise.all([
      this.get<DeliveryItem>(deliveryKey(delivery)),
      this.#laterAttempts(delivery),
    ]);
    const first = item?.firstAttempt ? [item.firstAttempt] : [];
    const stored = [...later, ...first].slice(0, LATEST_ATTEMPTS).toReversed();
    return attemptsFrom(stored, delivery);
  }

  async #laterAttempts({ integration, event }: LoggedDelivery): Promise<readonly StoredAttempt[]> {
    const { items } = await fillPage<AttemptItem>(
      (after) =>
        this.page(partitionOf(integration, event.id), {
          key: beginsWith(attemptsPrefix(event.id)),
          order: 'newest first',
          limit: LATEST_ATTEMPTS,
          after,
        }),
      { limit: LATEST_ATTEMPTS, maxReads: READS_OF_ATTEMPTS },
    );
    return items;
  }

  async #list(
    integration: string,
    { range, limit, after, reads: { most, items }, ...query }: ListQuery,
  ): Promise<DeliveryPage> {
    const least = Math.max(LEAST_OF_READ, Math.ceil(limit / 2));
    const read = async (readTo: string | undefined, reads: number) => {
      const pages = await Promise.all(
        partitionsOf(integration).map((partition) =>
          this.page<DeliveryItem>(partition, {
            ...query,
            key: isBetween(range.from, range.to),
            limit: Math.min(least * GROWTH_OF_READS ** reads, items),
            after: readTo,
            isListing: true,
          }),
        ),
      );
      return mergedPage(pages, query.order);
    };
    const { items: found, next } = await fillPage<DeliveryItem>(read, {
      limit,
      maxReads: most,
      // A cursor of another filter can be outside the range, where DynamoDB refuses to start.
      after: after && isWithin(range, after) ? after : undefined,
    });
    return {
      deliveries: found.flatMap((item) => deliveryOf(item) ?? []),
      ...(next !== undefined && { next: cursorAt(next) }),
    };
  }
}

const rangeOf = ({ since, until }: Pick<DeliveryFilter, 'since' | 'until'>): Range => ({
  from: since?.toISOString() ?? START_OF_LISTING,
  to: until?.toISOString() ?? END_OF_LISTING,
});

const isWithin = ({ from, to }: Range, entry: string): boolean => from < entry && entry < to;
