import { createHash } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { ifConditionHolds } from './writes.ts';

/** DynamoDB limits an item to 400 KiB, with the names and the other attributes. */
const MAX_PIECE_BYTES = 360_000;

/** The prefix of the sort key of every piece. */
export const PIECE_PREFIX = 'body#';

/** The key of the item that a body belongs to. */
export interface BodyOwner {
  readonly partition: string;
  readonly sortKey: string;
}

/** The pieces of a body that is too large for one item, as the item refers to them. */
export interface Pieces {
  /** SHA-256 of the body. */
  readonly hash: string;
  readonly count: number;
}

/** The pieces of a body; undefined for a body that fits in one item. */
export const piecesOf = (body: string): Pieces | undefined => {
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_PIECE_BYTES) return undefined;
  const hash = createHash('sha256').update(body).digest('hex');
  return { hash, count: Math.ceil(bytes / MAX_PIECE_BYTES) };
};

/**
 * Stores large bodies as pieces, in a table with the key `partition`, `entry`: items
 * `body#<sort key>#<hash>#<index>` beside the item that the body belongs to. The key has the hash of
 * the body, so two writers of the same key write the same bytes.
 */
export class DynamoDbBodyPieces {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Stores a body in pieces. Each piece gets `attributes`, too. */
  async put(
    owner: BodyOwner,
    pieces: Pieces,
    { body, attributes }: { body: string; attributes: Readonly<Record<string, unknown>> },
  ): Promise<void> {
    const whole = Buffer.from(body);
    const puts = this.#keysOf(owner, pieces).map((pieceKey, index) => {
      const bytes = whole.subarray(index * MAX_PIECE_BYTES, (index + 1) * MAX_PIECE_BYTES);
      const Item = { ...attributes, ...pieceKey, bytes };
      return this.#client.send(new PutCommand({ TableName: this.#table, Item }));
    });
    await Promise.all(puts);
  }

  /** The body of the pieces; undefined when a piece is missing. */
  async read(owner: BodyOwner, pieces: Pieces): Promise<string | undefined> {
    const found = await Promise.all(
      this.#keysOf(owner, pieces).map(async (Key): Promise<Uint8Array | undefined> => {
        const { Item } = await this.#client.send(
          new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
        );
        return Item?.bytes;
      }),
    );
    const whole = found.filter((bytes) => bytes !== undefined);
    return whole.length < pieces.count ? undefined : Buffer.concat(whole).toString();
  }

  /** Removes the pieces; with a condition, only the pieces that were stored with that version. */
  async remove(owner: BodyOwner, pieces: Pieces, version?: VersionCondition): Promise<void> {
    await Promise.all(
      this.#keysOf(owner, pieces).map((Key) =>
        ifConditionHolds(
          this.#client.send(new DeleteCommand({ TableName: this.#table, Key, ...version })),
        ),
      ),
    );
  }

  #keysOf({ partition, sortKey }: BodyOwner, { hash, count }: Pieces): Record<string, string>[] {
    return Array.from({ length: count }, (_, index) => ({
      partition,
      entry: `${PIECE_PREFIX}${sortKey}#${hash}#${index}`,
    }));
  }
}

/** The condition of a write that an item has a version. */
export interface VersionCondition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<':version', string>>;
}

export const ofVersion = (version: string): VersionCondition => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

/** Any version that a message stored: such versions begin with the message's id. */
export const ofMessage = (messageId: string): VersionCondition => ({
  ConditionExpression: 'begins_with(version, :version)',
  ExpressionAttributeValues: { ':version': messageId },
});
