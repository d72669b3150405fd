import { createHash } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { ifConditionHolds } from './conditional-write.ts';

/** What an item may hold is 400 KiB, with its names and its other attributes. */
const MAX_PIECE_BYTES = 360_000;

/** Sorts after every event's key, which begins with a year. */
export const PIECE_PREFIX = 'body#';

/** Key of table PendingEvents. */
export interface PendingKey {
  readonly integration: string;
  readonly event: string;
}

/** What is said of a body that is too large for one item. */
export interface Pieces {
  /** SHA-256 of the body. */
  readonly hash: string;
  readonly count: number;
}

/** Undefined for a body that needs no pieces. */
export const piecesOf = (body: string): Pieces | undefined => {
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_PIECE_BYTES) return undefined;
  const hash = createHash('sha256').update(body).digest('hex');
  return { hash, count: Math.ceil(bytes / MAX_PIECE_BYTES) };
};

/**
 * Bodies beside the events of table PendingEvents: items `body#<event key>#<hash>#<index>`, with the
 * version that stored them last. Named by their content, they can be stored over each other: a
 * reader finds the same bytes, whoever wrote them.
 */
export class DynamoDbBodyPieces {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async put(
    key: PendingKey,
    pieces: Pieces,
    { body, version }: { body: string; version: string },
  ): Promise<void> {
    const whole = Buffer.from(body);
    const puts = keysOf(key, pieces).map((pieceKey, index) => {
      const bytes = whole.subarray(index * MAX_PIECE_BYTES, (index + 1) * MAX_PIECE_BYTES);
      const Item = { ...pieceKey, version, bytes };
      return this.#client.send(new PutCommand({ TableName: this.#table, Item }));
    });
    await Promise.all(puts);
  }

  /** The body; undefined when a piece is missing. */
  async read(key: PendingKey, pieces: Pieces): Promise<string | undefined> {
    const found = await Promise.all(
      keysOf(key, pieces).map(async (Key): Promise<Uint8Array | undefined> => {
        const { Item } = await this.#client.send(
          new GetCommand({ TableName: this.#table, Key, ConsistentRead: true }),
        );
        return Item?.bytes;
      }),
    );
    const whole = found.filter((bytes) => bytes !== undefined);
    return whole.length < pieces.count ? undefined : Buffer.concat(whole).toString();
  }

  /** With a version, only what that one stored. */
  async remove(key: PendingKey, pieces: Pieces, version?: string): Promise<void> {
    await Promise.all(
      keysOf(key, pieces).map((Key) =>
        ifConditionHolds(
          this.#client.send(new DeleteCommand({ TableName: this.#table, Key, ...onlyOf(version) })),
        ),
      ),
    );
  }
}

/** The condition that an item is of a version; none without one. */
export const onlyOf = (version: string | undefined) =>
  version === undefined
    ? {}
    : {
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': version },
      };

const keysOf = ({ integration, event }: PendingKey, { hash, count }: Pieces): PendingKey[] =>
  Array.from({ length: count }, (_, index) => ({
    integration,
    event: `${PIECE_PREFIX}${event}#${hash}#${index}`,
  }));
