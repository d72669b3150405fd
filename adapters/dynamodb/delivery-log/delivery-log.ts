import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Attempt } from '../../../core/delivery/attempt.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog, LogEntry, LogReading } from '../../../core/delivery/delivery-log.ts';
import type { PartitionedKey } from '../table/stored-deliveries.ts';
import { DynamoDbTable } from '../table/table.ts';
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
import { DeliveryLogQueries, deliveryOf } from './delivery-log-queries.ts';
import { isConfirmedSince, readingsOf } from './delivery-log-readings.ts';
import { findItem } from './find-item.ts';

interface DeliveryLogOptions {
  readonly retentionDays: number;
  /** How long a delivery waits for the log: deliveries go on without it. */
  readonly deadlineMs: number;
  readonly now: () => Date;
}

type Identified = Pick<Delivery, 'integration' | 'event'>;

const NOTHING: LogReading = { logged: 'nothing' };

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
    return this.#withinDeadline((abortSignal) => this.#write(entries, abortSignal));
  }

  list(deliveries: readonly Delivery[]): Promise<readonly (Error | undefined)[]> {
    return this.#withinDeadline(() => this.#list(deliveries));
  }

  read(
    deliveries: readonly Pick<Delivery, 'integration' | 'event'>[],
  ): Promise<readonly (LogReading | Error)[]> {
    return this.#withinDeadline(() => this.#read(deliveries));
  }

  confirmedSince(integration: string, since: Date): Promise<boolean> {
    return this.#withinDeadline(() => isConfirmedSince(this, { integration, since }));
  }

  async #read(deliveries: readonly Identified[]): Promise<readonly (LogReading | Error)[]> {
    const readings = await readingsOf(this, deliveries);
    const again = deliveries.map(async (delivery, index) => {
      const reading = readings[index] ?? NOTHING;
      if (reading instanceof Error || reading.logged !== 'nothing') return reading;
      const listed = await this.#listedAs(delivery);
      return listed === delivery ? reading : ((await readingsOf(this, [listed]))[0] ?? NOTHING);
    });
    return Promise.all(again);
  }

  /**
   * An event that is sent again with another time is the same event: its id tells. A delivery that is
   * not found has the time with which it is listed. Deliveries that are confirmed at once are not
   * looked for: a repeat that is confirmed, too, is listed twice.
   */
  async #listedAs<Given extends Identified>(delivery: Given): Promise<Given> {
    const { integration, event } = delivery;
    const item = await findItem(this.#queries, integration, event.id).catch(() => undefined);
    const listed = item && deliveryOf(item);
    const isOther = listed !== undefined && listed.event.occurredAt !== event.occurredAt;
    return isOther ? { ...delivery, event: listed.event } : delivery;
  }

  /** A fault of one entry keeps no other entry out of the log. Throws a fault at the end. */
  async #write(given: readonly LogEntry[], abortSignal: AbortSignal): Promise<readonly boolean[]> {
    const entries = await Promise.all(
      given.map(async (entry) =>
        entry.logged === 'nothing' && entry.attempt.outcome.class === 'fatal'
          ? { ...entry, delivery: await this.#listedAs(entry.delivery) }
          : entry,
      ),
    );
    const repeated = new Set<LogEntry>();
    const { first, confirmed, later } = sorted(entries);
    const writing = [
      this.#insert(first, { abortSignal, repeated }),
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
    return entries.map((entry) => repeated.has(entry));
  }

  #itemOf(entry: LogEntry): DeliveryItem {
    return deliveryItem(entry.delivery, entry.attempt, this.#expiryOf(entry));
  }

  /** Nearly all deliveries are new. Others, as of a repeated event, may have been attempted. */
  async #insert(
    entries: readonly LogEntry[],
    { abortSignal, repeated }: { abortSignal: AbortSignal; repeated: Set<LogEntry> },
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
      if (entry === 'pointer') await this.putItem({ Item });
      else if (!(await this.#putFirst(Item, entry.attempt, abortSignal))) {
        repeated.add(entry);
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
        ConditionExpression: `attribute_not_exists(latestAttempt) AND (attribute_not_exists(firstAttempt)
        OR (firstAttempt.startedAt = :startedAt AND firstAttempt.#number = :number
          AND firstAttempt.#outcome = :outcome))`,
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
  async #listAttempt(entry: LogEntry, { repeated }: { repeated: Set<LogEntry> }): Promise<void> {
    const { delivery, attempt, logged } = entry;
    const { response, ...latestAttempt } = storedAttempt(attempt);
    const success = deliveredAttributes(attempt);
    const isLatest = await this.#change(delivery, {
      sets: { ...givenAttributes(delivery), latestAttempt, expiresAt: this.#expiryOf(entry) },
      setsOnce: { ...success, ...(logged === 'unknown' && bodyAttributes(delivery)) },
      after: latestAttempt.startedAt,
    });
    if (!isLatest) repeated.add(entry);
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
    const expiry = expiresAt(this.#options.now(), this.#options);
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
    return expiresAt(attempt.startedAt, this.#options);
  }

  /** A conditional change may be made after the deadline; a call that takes the signal ends. */
  async #withinDeadline<Result>(
    call: (abortSignal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const deadline = new AbortController();
    const { signal } = deadline;
    const timer = setTimeout(
      () => deadline.abort(new Error('The delivery log takes too long.')),
      this.#options.deadlineMs,
    );
    const tooLate = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    try {
      return await Promise.race([call(signal), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * `first`: entries that make a delivery's item. `confirmed`: entries that replace an item without an
 * attempt; a confirmed one may, whatever was written meanwhile.
 */
const sorted = (entries: readonly LogEntry[]) => {
  const seen = new Set<string>();
  const sorted = { first: [] as LogEntry[], confirmed: [] as LogEntry[], later: [] as LogEntry[] };
  for (const entry of entries) {
    const { delivery, attempt, logged } = entry;
    const key = keyOf(deliveryKey(delivery));
    const isFirst = (logged === 'nothing' || logged === 'listed') && !seen.has(key);
    seen.add(key);
    const isConfirmed = logged === 'listed' && attempt.outcome.class === 'delivered';
    if (!isFirst) sorted.later.push(entry);
    else sorted[isConfirmed ? 'confirmed' : 'first'].push(entry);
  }
  return sorted;
};
