import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Attempt } from '../../core/delivery/attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../core/delivery/delivery-log.ts';
import {
  attemptItem,
  bodyOwner,
  type DeliveryLogKey,
  ENTRY,
  eventItem,
  expiresAt,
  listingEntry,
  storedAttempt,
} from './delivery-log-items.ts';
import { DynamoDbBodyPieces } from './dynamodb-body-pieces.ts';
import { batchWrite, ifConditionHolds } from './writes.ts';

const PURGED_AT_ONCE = 100;

interface DeliveryLogOptions {
  readonly retentionDays: number;
  /**
   * How long a delivery waits for the log: deliveries go on without it. `purgePage` has no deadline,
   * because nothing waits for it.
   */
  readonly deadlineMs: number;
  readonly now: () => Date;
}

interface ListingChange {
  readonly sets: readonly string[];
  readonly condition: string;
  readonly names?: Readonly<Record<`#${string}`, string>>;
  readonly values: Readonly<Record<`:${string}`, unknown>>;
}

/**
 * Writes table DeliveryLog. A delivery is two items: a listing, and an event with the body. A large
 * body is stored in pieces before the event, so that a reader who finds the event finds all pieces.
 * Each attempt is an item, and the listing of its delivery has the latest attempt. A call that is
 * repeated after a lost answer leaves the items as they were.
 */
export class DynamoDbDeliveryLog implements DeliveryLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #options: DeliveryLogOptions;
  readonly #bodies: DynamoDbBodyPieces;

  constructor(client: DynamoDBDocumentClient, table: string, options: DeliveryLogOptions) {
    this.#client = client;
    this.#table = table;
    this.#options = options;
    this.#bodies = new DynamoDbBodyPieces(client, table, { partition: 'integration', sort: ENTRY });
  }

  async open(deliveries: readonly Delivery[]): Promise<void> {
    const expiry = expiresAt(this.#options.now(), this.#options);
    const writing = Promise.all([
      this.#putEvents(deliveries, expiry),
      ...deliveries.map((delivery) => this.#list(delivery, expiry)),
    ]);
    await this.#withinDeadline(writing);
  }

  async #putEvents(deliveries: readonly Delivery[], expiry: number): Promise<void> {
    const items = deliveries.map((delivery) => eventItem(delivery, expiry));
    await Promise.all(
      deliveries.map(async ({ integration, event, body }, index) => {
        const pieces = items[index]?.pieces;
        if (pieces === undefined) return;
        const attributes = { expiresAt: expiry };
        await this.#bodies.put(bodyOwner(integration, event.id), pieces, { body, attributes });
      }),
    );
    await batchWrite(
      this.#client,
      this.#table,
      items.map((item) => ({ put: { ...item } })),
    );
  }

  async record(attempt: Attempt): Promise<void> {
    const Item = attemptItem(attempt, expiresAt(attempt.startedAt, this.#options));
    const writing = Promise.all([
      this.#client.send(new PutCommand({ TableName: this.#table, Item })),
      this.#listAttempt(attempt),
    ]);
    await this.#withinDeadline(writing);
  }

  async wasDelivered({ integration, event }: Delivery): Promise<boolean> {
    const Key: DeliveryLogKey = { integration, entry: listingEntry(event) };
    const reading = this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key,
        ProjectionExpression: 'deliveredAt',
        ConsistentRead: true,
      }),
    );
    const { Item } = await this.#withinDeadline(reading);
    return Item?.deliveredAt !== undefined;
  }

  /** Removes items of every kind. */
  async purgePage(integration: string): Promise<boolean> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'integration = :integration',
        ExpressionAttributeValues: { ':integration': integration },
        ProjectionExpression: 'integration, entry',
        ConsistentRead: true,
        Limit: PURGED_AT_ONCE,
      }),
    );
    await batchWrite(
      this.#client,
      this.#table,
      Items.map((key) => ({ remove: key })),
    );
    return LastEvaluatedKey === undefined;
  }

  /** Sets only what is missing: an attempt may be listed already, or the event be routed again. */
  async #list({ account, integration, event }: Delivery, expiry: number): Promise<void> {
    const Key: DeliveryLogKey = { integration, entry: listingEntry(event) };
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key,
        UpdateExpression: `SET account = if_not_exists(account, :account),
          #reference = if_not_exists(#reference, :reference),
          expiresAt = if_not_exists(expiresAt, :expiresAt)`,
        ExpressionAttributeNames: { '#reference': 'reference' },
        ExpressionAttributeValues: {
          ':account': account,
          ':reference': event,
          ':expiresAt': expiry,
        },
      }),
    );
  }

  /** An attempt that is recorded late does not replace a later one, but its success is listed. */
  async #listAttempt(attempt: Attempt): Promise<void> {
    const success = successOf(attempt);
    const isLatest = await this.#change(attempt, {
      sets: [
        'account = :account',
        '#reference = :reference',
        'latestAttempt = :latest',
        'expiresAt = :expiresAt',
        ...(success?.sets ?? []),
      ],
      condition: 'attribute_not_exists(latestAttempt) OR latestAttempt.startedAt <= :startedAt',
      names: { '#reference': 'reference' },
      values: {
        ':account': attempt.account,
        ':reference': attempt.event,
        ':latest': storedAttempt(attempt),
        ':expiresAt': expiresAt(attempt.startedAt, this.#options),
        ':startedAt': attempt.startedAt.toISOString(),
        ...success?.values,
      },
    });
    if (!isLatest && success) await this.#change(attempt, success);
  }

  /** Waits until the deadline. A late write may still be made, and repeated safely. */
  async #withinDeadline<Result>(call: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const fault = new Error('The delivery log takes too long.');
      timer = setTimeout(reject, this.#options.deadlineMs, fault);
    });
    try {
      return await Promise.race([call, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Makes a change if its condition holds; whether it did. */
  async #change(
    { integration, event }: Attempt,
    { sets, condition, names, values }: ListingChange,
  ): Promise<boolean> {
    const Key: DeliveryLogKey = { integration, entry: listingEntry(event) };
    const update = new UpdateCommand({
      TableName: this.#table,
      Key,
      UpdateExpression: `SET ${sets.join(', ')}`,
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    });
    return (await ifConditionHolds(this.#client.send(update))) !== undefined;
  }
}

/** The change that lists a success. `deliveredAt` is set once: later attempts do not change it. */
const successOf = ({ outcome, startedAt, durationMs }: Attempt): ListingChange | undefined =>
  outcome.class === 'delivered'
    ? {
        sets: ['deliveredAt = if_not_exists(deliveredAt, :deliveredAt)'],
        // A purge may have removed the listing: a deleted integration must leave no items.
        condition: 'attribute_exists(latestAttempt)',
        values: { ':deliveredAt': new Date(startedAt.getTime() + durationMs).toISOString() },
      }
    : undefined;
