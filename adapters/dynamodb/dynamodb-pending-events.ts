import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PendingEvent, PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import { batchDelete } from './batch-delete.ts';
import { deflated, inflated } from './deflated-body.ts';
import {
  DynamoDbBodyPieces,
  ofMessage,
  ofVersion,
  type Pieces,
  piecesOf,
  type VersionCondition,
} from './dynamodb-body-pieces.ts';
import type { ReadPage } from './filled-page.ts';
import { partitionsOf } from './integration-partitions.ts';
import { mergedReads } from './merged-reads.ts';
import { createPendingItemPuts } from './pending-item-puts.ts';
import {
  bodyOwnerOf,
  deliveriesIn,
  type PendingItem,
  type PendingKey,
  pendingKey,
} from './pending-items.ts';
import { batchWrite, ifConditionHolds } from './writes.ts';

/** A page has at most this many pieces of large bodies: about 6 MB. */
const MAX_PIECES_OF_PAGE = 16;

/** A call reads at least so many items of a partition, if there are so many. */
const LEAST_READ = 16;

/** Items of each partition that one page of a purge removes. */
const PURGED_PAGE = 100;

/**
 * Table PendingEvents: key `partition`, `entry`. The events of an integration are spread over
 * several partitions, each in the order of when the events occurred.
 *
 * An SQS message can have 1 MiB, an item 400 KiB, so a large body is stored in pieces beside its
 * event. No transaction spans an event and its pieces: the pieces are stored before the event, and
 * removed before the event. So an event that lacks pieces is one whose removal has begun, and never
 * pending. Pieces without an event belong to a delivery whose message is still in its queue: when
 * the message comes again, the delivery is stored or removed under the same keys.
 */
export class DynamoDbPendingEvents implements PendingEvents {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #newVersion: () => string;
  readonly #bodies: DynamoDbBodyPieces;
  readonly #putItem: (item: PendingItem) => Promise<void>;

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    options: { newVersion: () => string },
  ) {
    this.#client = client;
    this.#table = table;
    this.#newVersion = options.newVersion;
    this.#bodies = new DynamoDbBodyPieces(client, table);
    this.#putItem = createPendingItemPuts(client, table);
  }

  async put(given: Delivery, { messageId }: { messageId: string }): Promise<void> {
    const { body, event, ...delivery } = given;
    const key = pendingKey(given);
    const version = `${messageId}${this.#newVersion()}`;
    const pieces = piecesOf(body);
    if (pieces !== undefined) {
      // The pieces of a stored resend keep its version: else they would not be removed with it.
      if (delivery.trigger !== 'manual' && (await this.#isManual(key))) return;
      await this.#bodies.put(bodyOwnerOf(key), pieces, { body, attributes: { version } });
    }
    await this.#putItem({
      ...delivery,
      ...key,
      reference: event,
      version,
      ...(pieces === undefined ? { deflated: deflated(body) } : { pieces }),
    });
  }

  async #isManual(Key: PendingKey): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
    );
    return Item?.trigger === 'manual';
  }

  /** Fewer than `limit` when bodies are large; none only when none is pending. */
  async oldest(integration: string, limit: number): Promise<readonly PendingEvent[]> {
    for await (const page of this.pages(integration, limit)) return page;
    return [];
  }

  async *pages(integration: string, limit: number): AsyncGenerator<readonly PendingEvent[]> {
    const perRead = Math.max(LEAST_READ, limit);
    const pages = mergedReads(
      partitionsOf(integration),
      (partition, after) => this.#read(partition, { limit: perRead, after }),
      {
        sortKeyOf: ({ entry }) => entry,
        pageOf: (items) => upToPieces(items.slice(0, limit)),
        least: Math.ceil(perRead / 4),
      },
    );
    for await (const items of pages) {
      const read = await Promise.all(items.map((item) => this.#pendingOf(item)));
      const pending = read.filter((event) => event !== undefined);
      if (pending.length > 0) yield pending;
    }
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
    await this.#remove(pendingKey(delivery), piecesOf(delivery.body), ofMessage(messageId));
  }

  async removeAsRead({ delivery, version }: PendingEvent): Promise<void> {
    await this.#remove(pendingKey(delivery), piecesOf(delivery.body), ofVersion(version));
  }

  async removeAllAsRead(page: readonly PendingEvent[]): Promise<void> {
    const isInPieces = ({ delivery }: PendingEvent) => piecesOf(delivery.body) !== undefined;
    const whole = page.filter((pending) => !isInPieces(pending));
    await Promise.all([
      batchDelete(
        this.#client,
        this.#table,
        whole.map(({ delivery, version }) => ({ key: { ...pendingKey(delivery) }, version })),
      ),
      ...page.filter(isInPieces).map((pending) => this.removeAsRead(pending)),
    ]);
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

  /** Removes the pieces and the event, each only if it has the version. */
  async #remove(
    Key: PendingKey,
    pieces: Pieces | undefined,
    version: VersionCondition,
  ): Promise<void> {
    if (pieces !== undefined) await this.#bodies.remove(bodyOwnerOf(Key), pieces, version);
    const remove = new DeleteCommand({ TableName: this.#table, Key, ...version });
    await ifConditionHolds(this.#client.send(remove));
  }

  async #read(
    partition: string,
    { limit, after }: { limit: number; after: string | undefined },
  ): Promise<ReadPage<PendingItem>> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        ...deliveriesIn(partition, 'pending'),
        ConsistentRead: true,
        Limit: limit,
        ExclusiveStartKey: after === undefined ? undefined : { partition, entry: after },
      }),
    );
    return { items: Items as PendingItem[], readTo: LastEvaluatedKey?.entry };
  }

  async #pendingOf(item: PendingItem): Promise<PendingEvent | undefined> {
    const { partition, entry, reference, version, deflated, pieces, ...delivery } = item;
    const key = { partition, entry };
    const body = await this.#bodyOf(item);
    if (body !== undefined) return { delivery: { ...delivery, event: reference, body }, version };
    // The event's removal has begun, and the process that began it may be dead.
    await this.#remove(key, pieces, ofVersion(version));
    return undefined;
  }

  async #bodyOf({ deflated, pieces, ...key }: PendingItem): Promise<string | undefined> {
    if (deflated !== undefined) return inflated(deflated);
    return pieces && this.#bodies.read(bodyOwnerOf(key), pieces);
  }
}

/** The first items, with no more pieces than a page may have. A single body never has so many. */
const upToPieces = (items: readonly PendingItem[]): readonly PendingItem[] => {
  let count = 0;
  const end = items.findIndex(({ pieces }) => {
    count += pieces?.count ?? 0;
    return count > MAX_PIECES_OF_PAGE;
  });
  return end < 0 ? items : items.slice(0, end);
};
