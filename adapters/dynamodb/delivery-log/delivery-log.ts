import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Attempt } from '../../../core/delivery/attempt.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog, LogEntry, LogReading } from '../../../core/delivery/delivery-log.ts';
import type { PartitionedKey } from '../table/stored-deliveries.ts';
import { DynamoDbTable } from '../table/table.ts';
import { withinDeadline } from '../table/within-deadline.ts';
import { batchWrite, insertOrPut, keyOf, type NotInserted } from '../table/writes.ts';
import {
  attemptItem,
  bodyAttributes,
  type DeliveryItem,
  deliveredAttributes,
  deliveryItem,
  deliveryKey,
  expiresAt,
  givenAttributes,
  pointersOf,
  storedAttempt,
} from './delivery-log-items.ts';
import { DeliveryLogQueries } from './delivery-log-queries.ts';
import { isConfirmedSince, readingsOf } from './delivery-log-readings.ts';
import { asListed } from './find-item.ts';

interface DeliveryLogOptions {
  /**
   * How long a delivery waits for the log: deliveries go on without it. A conditional change may be
   * made after the deadline; a call that takes the signal ends.
   */
  readonly deadlineMs: number;
  readonly now: () => Date;
}

interface InsertOptions {
  readonly abortSignal: AbortSignal;
  /** Gets the attempts of deliveries that another message has attempted meanwhile. */
  readonly repeated: Set<Attempt>;
}

type Attributes = Readonly<Record<string, unknown>>;

/**
 * Writes table DeliveryLog. A delivery is one item with its body and first attempt, typically one
 * write unit. Later attempts are items of their own; the delivery's item has the latest. A write
 * that is repeated after a lost answer changes nothing.
 */
export class DynamoDbDeliveryLog extends DynamoDbTable implements DeliveryLog {
  readonly #options: DeliveryLogOptions;
  readonly #queries: DeliveryLogQueries;

  constructor(client: DynamoDBDocumentClient, table: string, options: DeliveryLogOptions) {
    super(client, table);
    this.#queries = new DeliveryLogQueries(client, table, options);
    this.#options = options;
  }

  write(entries: readonly LogEntry[]): Promise<readonly boolean[]> {
    return withinDeadline(this.#options.deadlineMs, (abortSignal) =>
      this.#write(entries, abortSignal),
    );
  }

  list(deliveries: readonly Delivery[]): Promise<readonly (Error | undefined)[]> {
    return withinDeadline(this.#options.deadlineMs, () => this.#list(deliveries));
  }

  read(
    deliveries: readonly Pick<Delivery, 'integration' | 'event'>[],
  ): Promise<readonly (LogReading | Error)[]> {
    return withinDeadline(this.#options.deadlineMs, () => readingsOf(this.#queries, deliveries));
  }

  confirmedSince(integration: string, since: Date): Promise<boolean> {
    return withinDeadline(this.#options.deadlineMs, () =>
      isConfirmedSince(this, { integration, since }),
    );
  }

  /** A fault of one entry keeps no other entry out of the log. Throws a fault at the end. */
  async #write(
    entries: readonly LogEntry[],
    abortSignal: AbortSignal,
  ): Promise<readonly boolean[]> {
    const repeated = new Set<Attempt>();
    const { first, refused, confirmed, later } = sorted(entries);
    const writing = [
      this.#insert(first, { abortSignal, repeated }),
      asListed(this.#queries, refused).then((entries) =>
        this.#insert(entries, { abortSignal, repeated }),
      ),
      this.#put(
        [
          ...confirmed.map((entry) => this.#itemOf(entry)),
          ...later.map((entry) => attemptItem(entry.attempt, this.#expiryOf(entry))),
          ...[...confirmed, ...later].flatMap((entry) =>
            pointersOf(entry.delivery, this.#expiryOf(entry)),
          ),
        ],
        abortSignal,
      ),
    ];
    await Promise.allSettled(writing);
    const listing = later.map((entry) => this.#listAttempt(entry, { repeated }));
    await Promise.allSettled(listing);
    await Promise.all([...writing, ...listing]);
    return entries.map(({ attempt }) => repeated.has(attempt));
  }

  #itemOf(entry: LogEntry): DeliveryItem {
    return deliveryItem(entry.delivery, entry.attempt, this.#expiryOf(entry));
  }

  /** Nearly all deliveries are new. Others, as of a repeated event, may have been attempted. */
  async #insert(
    entries: readonly LogEntry[],
    { abortSignal, repeated }: InsertOptions,
  ): Promise<void> {
    const items = new Map<PartitionedKey, LogEntry | 'pointer'>();
    for (const entry of entries) {
      items.set(this.#itemOf(entry), entry);
      for (const pointer of pointersOf(entry.delivery, this.#expiryOf(entry))) {
        items.set(pointer, 'pointer');
      }
    }
    const putAlone = async (Item: PartitionedKey): Promise<void> => {
      const entry = items.get(Item) ?? 'pointer';
      if (entry === 'pointer') await this.#putNew(Item, 'failed');
      else if (!(await this.#putFirst(Item, entry.attempt, abortSignal))) {
        repeated.add(entry.attempt);
        await this.#addLater(entry);
      }
    };
    const options = { abortSignal };
    const faults = await insertOrPut(this, [...items.keys()], putAlone, options);
    const fault = faults.find((found) => found);
    if (fault) throw fault;
  }

  /** Resolves to undefined if the item has an attempt already, unless it is this one. */
  #putFirst(Item: PartitionedKey, attempt: Attempt, abortSignal: AbortSignal) {
    const { startedAt, number, outcome } = storedAttempt(attempt);
    return this.putItem(
      {
        Item: { ...Item },
        // Without parentheses, which cost the parser of the embedded run a millisecond.
        ConditionExpression: `attribute_not_exists(latestAttempt)
            AND attribute_not_exists(firstAttempt)
          OR attribute_not_exists(latestAttempt)
            AND firstAttempt.startedAt = :startedAt AND firstAttempt.#number = :number
            AND firstAttempt.#outcome = :outcome`,
        ExpressionAttributeNames: { '#number': 'number', '#outcome': 'outcome' },
        ExpressionAttributeValues: {
          ':startedAt': startedAt,
          ':number': number,
          ':outcome': outcome,
        },
      },
      { abortSignal },
    );
  }

  async #addLater(entry: LogEntry): Promise<void> {
    await this.putItem({ Item: attemptItem(entry.attempt, this.#expiryOf(entry)) });
    await this.#listAttempt(entry, { repeated: new Set() });
  }

  /**
   * A batch takes each key once. Puts nothing after `abortSignal`: it would replace newer items.
   */
  async #put(items: readonly PartitionedKey[], abortSignal: AbortSignal): Promise<void> {
    const distinct = new Map(items.map((item) => [keyOf(item), item]));
    const puts = [...distinct.values()].map((Item) => ({ PutRequest: { Item: { ...Item } } }));
    await batchWrite(this, puts, { abortSignal });
  }

  /** An attempt that is recorded late does not replace a later one, but its success is listed. */
  async #listAttempt(
    entry: LogEntry,
    { repeated }: Pick<InsertOptions, 'repeated'>,
  ): Promise<void> {
    const { delivery, attempt, logged } = entry;
    const { response, ...latestAttempt } = storedAttempt(attempt);
    const success = deliveredAttributes(attempt);
    const isLatest = await this.#change(delivery, {
      sets: { ...givenAttributes(delivery), latestAttempt, expiresAt: this.#expiryOf(entry) },
      setsOnce: { ...success, ...(logged === 'unknown' && bodyAttributes(delivery)) },
      after: latestAttempt.startedAt,
    });
    if (!isLatest) repeated.add(attempt);
    if (!isLatest && success.deliveredAt !== undefined) {
      await this.#change(delivery, { sets: {}, setsOnce: success });
    }
  }

  /** With `after`, only if no attempt that started later is listed. Resolves to whether it did. */
  async #change(
    delivery: Delivery,
    { sets, setsOnce, after }: { sets: Attributes; setsOnce: Attributes; after?: string },
  ): Promise<boolean> {
    const given = Object.entries({ ...sets, ...setsOnce }).filter(
      ([, value]) => value !== undefined,
    );
    const assignments = given.map(([name]) =>
      name in setsOnce ? `#${name} = if_not_exists(#${name}, :${name})` : `#${name} = :${name}`,
    );
    return (
      (await this.updateItem({
        Key: deliveryKey(delivery),
        UpdateExpression: `SET ${assignments.join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
          ...(after !== undefined && { ':after': after }),
        },
        ...(after !== undefined && {
          ConditionExpression: `(attribute_not_exists(latestAttempt) OR latestAttempt.startedAt <= :after)
          AND (attribute_not_exists(firstAttempt) OR firstAttempt.startedAt <= :after)`,
        }),
      })) !== undefined
    );
  }

  /** Puts items without an attempt. An item that is there stays as it is. */
  async #list(deliveries: readonly Delivery[]): Promise<readonly (Error | undefined)[]> {
    const expiry = expiresAt(this.#options.now());
    const listed = deliveries.flatMap((delivery) =>
      [deliveryItem(delivery, undefined, expiry), ...pointersOf(delivery, expiry)].map((item) => ({
        item,
        delivery,
      })),
    );
    const items = listed.map(({ item }) => item);
    const results = await insertOrPut(this, items, (item, because) => this.#putNew(item, because));
    const faults = new Map(
      listed
        .map(({ delivery }, index) => [delivery, results[index]] as const)
        .filter(([, fault]) => fault),
    );
    return deliveries.map((delivery) => faults.get(delivery));
  }

  async #putNew(item: PartitionedKey, because: NotInserted): Promise<void> {
    if (because === 'exists') return;
    await this.putItem({
      Item: item,
      ConditionExpression: 'attribute_not_exists(entry)',
    });
  }

  #expiryOf({ attempt }: LogEntry): number {
    return expiresAt(attempt.startedAt);
  }
}

/**
 * `first`: entries that make a delivery's item, and `refused` those of attempts that were refused
 * without a reading before. `confirmed`: entries that replace an item without an
 * attempt; a confirmed one may, whatever was written meanwhile.
 */
const sorted = (entries: readonly LogEntry[]) => {
  const seen = new Set<string>();
  const sorted = {
    first: [] as LogEntry[],
    refused: [] as LogEntry[],
    confirmed: [] as LogEntry[],
    later: [] as LogEntry[],
  };
  for (const entry of entries) {
    const { delivery, attempt, logged } = entry;
    const key = keyOf(deliveryKey(delivery));
    const isFirst = (logged === 'nothing' || logged === 'listed') && !seen.has(key);
    seen.add(key);
    const isConfirmed = logged === 'listed' && attempt.outcome.class === 'delivered';
    const isRefused = logged === 'nothing' && attempt.outcome.class === 'fatal';
    if (!isFirst) sorted.later.push(entry);
    else sorted[isConfirmed ? 'confirmed' : isRefused ? 'refused' : 'first'].push(entry);
  }
  return sorted;
};
