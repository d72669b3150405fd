import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Attempt } from '../../core/delivery/attempt.ts';
import type { EventReference } from '../../core/delivery/delivery.ts';
import type {
  Cursor,
  DeliveryFilter,
  DeliveryLogReader,
  DeliveryPage,
  LoggedDelivery,
} from '../../core/delivery/delivery-log.ts';
import { cursorAt, positionOf } from '../../core/delivery/shown/delivery-cursor.ts';
import {
  type AttemptItem,
  attemptOf,
  attemptsPrefix,
  bodyOwner,
  deliveryOf,
  END_OF_LISTING,
  ENTRY,
  type EventItem,
  eventEntry,
  type ListingItem,
  listingEntry,
} from './delivery-log-items.ts';
import {
  beginsWith,
  type Condition,
  conditionsOf,
  DeliveryLogQueries,
  IS_NO_TEST,
  isBetween,
  NOT_DELIVERED,
} from './delivery-log-queries.ts';
import { DynamoDbBodyPieces } from './dynamodb-body-pieces.ts';
import { fillPage } from './filled-page.ts';

/** A listing has some 500 bytes: a read is at most about 250 KB, or 60 read units. */
const ENTRIES_OF_READ = 500;
/** Usually the first read finds enough. Where filters leave nearly all out, each read is larger. */
const GROWTH_OF_READS = 4;
const READS_OF_PAGE = 5;
const LATEST_ATTEMPTS = 1_000;
/** An attempt has at most some 1.5 KB, and DynamoDB reads no more than 1 MB at once. */
const READS_OF_ATTEMPTS = 4;
/** Sorts before the entry of every listing. */
const START_OF_LISTING = '!';

/** A range of sort keys. Neither end is the key of an item. */
interface Range {
  readonly from: string;
  readonly to: string;
}

/** Reads table DeliveryLog. `DynamoDbDeliveryLog` writes the table. */
export class DynamoDbDeliveryLogReader implements DeliveryLogReader {
  readonly #log: DeliveryLogQueries;
  readonly #bodies: DynamoDbBodyPieces;

  constructor(client: DynamoDBDocumentClient, table: string, options: { now: () => Date }) {
    this.#log = new DeliveryLogQueries(client, table, options);
    this.#bodies = new DynamoDbBodyPieces(client, table, { partition: 'integration', sort: ENTRY });
  }

  async newest(
    integration: string,
    { filter, limit, after }: { filter: DeliveryFilter; limit: number; after?: Cursor },
  ): Promise<DeliveryPage> {
    const range = rangeOf(filter);
    const position = after && positionOf(after);
    if (position && position < range.from) return { deliveries: [] };
    return this.#list(integration, {
      range,
      order: 'newest first',
      conditions: conditionsOf(filter),
      limit,
      after: position,
    });
  }

  async undelivered(
    integration: string,
    { since, limit, after }: { since: Date; limit: number; after?: Cursor },
  ): Promise<DeliveryPage> {
    return this.#list(integration, {
      range: rangeOf({ since }),
      order: 'oldest first',
      conditions: [NOT_DELIVERED, IS_NO_TEST],
      limit,
      after: after && positionOf(after),
    });
  }

  async find(integration: string, eventId: string): Promise<LoggedDelivery | undefined> {
    const event = await this.#referenceOf(integration, eventId);
    if (event === undefined) return undefined;
    const entry = listingEntry(event);
    const item = await this.#log.get<ListingItem>({ integration, entry });
    return item && deliveryOf(item);
  }

  async bodyOf({ integration, event }: LoggedDelivery): Promise<string | undefined> {
    const entry = eventEntry(event.id);
    const item = await this.#log.get<EventItem>({ integration, entry });
    if (item?.pieces === undefined) return item?.body;
    return this.#bodies.read(bodyOwner(integration, event.id), item.pieces);
  }

  async attemptsOf(integration: string, eventId: string): Promise<readonly Attempt[]> {
    const latest = await this.#latestAttempts(integration, eventId, { limit: LATEST_ATTEMPTS });
    return latest.map(attemptOf).toReversed();
  }

  /** The event's item may be missing, and expires before the attempts: they have the reference. */
  async #referenceOf(integration: string, eventId: string): Promise<EventReference | undefined> {
    const key = { integration, entry: eventEntry(eventId) };
    const event = await this.#log.get<EventItem>(key, { withoutBody: true });
    if (event !== undefined) return event.reference;
    const [latest] = await this.#latestAttempts(integration, eventId, { limit: 1 });
    return latest?.reference;
  }

  async #latestAttempts(integration: string, eventId: string, { limit }: { limit: number }) {
    const { items } = await fillPage<AttemptItem>(
      (after) =>
        this.#log.page(integration, {
          key: beginsWith(attemptsPrefix(eventId)),
          conditions: [],
          order: 'newest first',
          limit,
          after,
        }),
      { limit, maxReads: READS_OF_ATTEMPTS, sortKeyOf: ({ entry }) => entry },
    );
    return items;
  }

  async #list(
    integration: string,
    {
      range,
      limit,
      after,
      ...query
    }: {
      range: Range;
      order: 'newest first' | 'oldest first';
      conditions: readonly Condition[];
      limit: number;
      after: string | undefined;
    },
  ): Promise<DeliveryPage> {
    const { items, next } = await fillPage<ListingItem>(
      (readTo, reads) =>
        this.#log.page(integration, {
          ...query,
          key: isBetween(range.from, range.to),
          limit: Math.min((limit + 1) * GROWTH_OF_READS ** reads, ENTRIES_OF_READ),
          after: readTo,
        }),
      {
        limit,
        maxReads: READS_OF_PAGE,
        // A cursor of another filter can be outside the range, where DynamoDB refuses to start.
        after: after && isWithin(range, after) ? after : undefined,
        sortKeyOf: ({ entry }) => entry,
      },
    );
    return {
      deliveries: items.map(deliveryOf),
      ...(next !== undefined && { next: cursorAt(next) }),
    };
  }
}

const rangeOf = ({ since, until }: Pick<DeliveryFilter, 'since' | 'until'>): Range => ({
  from: since?.toISOString() ?? START_OF_LISTING,
  to: until?.toISOString() ?? END_OF_LISTING,
});

const isWithin = ({ from, to }: Range, entry: string): boolean => from < entry && entry < to;
