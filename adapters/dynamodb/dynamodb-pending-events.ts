import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Delivery, EventReference } from '../../core/delivery/delivery.ts';
import type { PendingEvent, PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import {
  type BodyOwner,
  DynamoDbBodyPieces,
  ofMessage,
  ofVersion,
  PIECE_PREFIX,
  type Pieces,
  piecesOf,
  type VersionCondition,
} from './dynamodb-body-pieces.ts';
import { ifConditionHolds } from './writes.ts';

/** A page reads at most this many pieces of large bodies: about 6 MB. */
const MAX_PIECES_OF_PAGE = 16;

/** Key of table PendingEvents. */
interface PendingKey {
  readonly integration: string;
  readonly event: string;
}

/** A delivery as an item. A large body is stored as `pieces` beside the item. */
interface StoredDelivery extends Omit<Delivery, 'body' | 'event'>, PendingKey {
  readonly reference: EventReference;
  readonly version: string;
  readonly body?: string;
  readonly pieces?: Pieces;
}

/**
 * Table PendingEvents: key `integration`, `event`.
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

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    options: { newVersion: () => string },
  ) {
    this.#client = client;
    this.#table = table;
    this.#newVersion = options.newVersion;
    this.#bodies = new DynamoDbBodyPieces(client, table, { sortKeyName: 'event' });
  }

  async put(given: Delivery, { messageId }: { messageId: string }): Promise<void> {
    const { body, event, ...delivery } = given;
    const key = pendingKey(given);
    const version = `${messageId}${this.#newVersion()}`;
    const pieces = piecesOf(body);
    if (pieces !== undefined) {
      await this.#bodies.put(ownerOf(key), pieces, { body, attributes: { version } });
    }
    const item: StoredDelivery = {
      ...delivery,
      ...key,
      reference: event,
      version,
      ...(pieces === undefined ? { body } : { pieces }),
    };
    if (!(await this.#putUnlessManual(item))) {
      await this.#put({ ...item, trigger: 'manual' });
    }
  }

  #put(Item: StoredDelivery) {
    return this.#client.send(new PutCommand({ TableName: this.#table, Item }));
  }

  /** Whether the item is stored: another trigger than `manual` does not replace `manual`. */
  async #putUnlessManual(Item: StoredDelivery): Promise<boolean> {
    const put = new PutCommand({
      TableName: this.#table,
      Item,
      ...(Item.trigger !== 'manual' && {
        ConditionExpression: 'attribute_not_exists(#trigger) OR #trigger <> :manual',
        ExpressionAttributeNames: { '#trigger': 'trigger' },
        ExpressionAttributeValues: { ':manual': 'manual' },
      }),
    });
    return (await ifConditionHolds(this.#client.send(put))) !== undefined;
  }

  /** Fewer than `limit` when bodies are large; none only when none is pending. */
  async oldest(integration: string, limit: number): Promise<readonly PendingEvent[]> {
    for (let after: StoredDelivery | undefined; ; ) {
      const { items, hasMore } = await this.#page(integration, limit, after);
      const read = await Promise.all(items.map((item) => this.#pendingOf(item)));
      const pending = read.filter((event) => event !== undefined);
      if (pending.length > 0 || !hasMore) return pending;
      after = items.at(-1);
    }
  }

  async countAttempt({ delivery, version }: PendingEvent): Promise<void> {
    const update = new UpdateCommand({
      TableName: this.#table,
      Key: pendingKey(delivery),
      // Sets the sum instead of adding: a call repeated after a lost answer must count once.
      UpdateExpression: 'SET priorAttempts = :attempts',
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: {
        ':attempts': delivery.priorAttempts + 1,
        ':version': version,
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

  /** Removes the pieces and the event, each only if it has the version. */
  async #remove(
    Key: PendingKey,
    pieces: Pieces | undefined,
    version: VersionCondition,
  ): Promise<void> {
    if (pieces !== undefined) await this.#bodies.remove(ownerOf(Key), pieces, version);
    const remove = new DeleteCommand({ TableName: this.#table, Key, ...version });
    await ifConditionHolds(this.#client.send(remove));
  }

  async #page(integration: string, limit: number, after: StoredDelivery | undefined) {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        // The keys of pieces sort after the keys of events, which begin with a year.
        KeyConditionExpression: 'integration = :integration AND event < :pieces',
        ExpressionAttributeValues: { ':integration': integration, ':pieces': PIECE_PREFIX },
        ...(after && { ExclusiveStartKey: { integration, event: after.event } }),
        ConsistentRead: true,
        Limit: limit,
      }),
    );
    const items = upToPieces(Items as StoredDelivery[]);
    return { items, hasMore: LastEvaluatedKey !== undefined || items.length < Items.length };
  }

  async #pendingOf(item: StoredDelivery): Promise<PendingEvent | undefined> {
    const { integration, event: key, reference, version, body: ownBody, pieces, ...rest } = item;
    const stored = { integration, event: key };
    const body = pieces === undefined ? ownBody : await this.#bodies.read(ownerOf(stored), pieces);
    if (body !== undefined) {
      return { delivery: { ...rest, integration, event: reference, body }, version };
    }
    // The event's removal has begun, and the process that began it may be dead.
    await this.#remove(stored, pieces, ofVersion(version));
    return undefined;
  }
}

export const pendingKey = ({
  integration,
  event: { id, occurredAt },
}: Pick<Delivery, 'integration' | 'event'>): PendingKey => ({
  integration,
  event: `${new Date(occurredAt).toISOString()}#${id}`,
});

const ownerOf = ({ integration, event }: PendingKey): BodyOwner => ({
  integration,
  sortKey: event,
});

/** The first items, with no more pieces than a page may have. A single body never has so many. */
const upToPieces = (items: readonly StoredDelivery[]): readonly StoredDelivery[] => {
  let count = 0;
  const end = items.findIndex(({ pieces }) => {
    count += pieces?.count ?? 0;
    return count > MAX_PIECES_OF_PAGE;
  });
  return end < 0 ? items : items.slice(0, end);
};
