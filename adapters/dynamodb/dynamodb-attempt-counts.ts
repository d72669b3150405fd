import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type {
  AttemptCounts,
  IntegrationHour,
  StreamedAttempt,
} from '../../core/delivery/statistics/count-attempts.ts';
import { tallyOf } from '../../core/delivery/statistics/tally.ts';
import { expiryOf, tallyAttributes, upToAttribute } from './statistics-items.ts';
import { ifConditionHolds } from './writes.ts';

/**
 * Adds attempts to table Statistics. The write that adds attempts of a shard to an hour also notes
 * the position of the latest: whatever comes again, and in whatever batches, is at or before that
 * position, and is not added again.
 */
export class DynamoDbAttemptCounts implements AttemptCounts {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async add(
    of: IntegrationHour,
    shard: string,
    attempts: readonly StreamedAttempt[],
  ): Promise<void> {
    let left = attempts;
    while (left.length > 0 && !(await this.#added(of, shard, left))) {
      const upTo = await this.#upTo(of, shard);
      left = left.filter(({ position }) => position > upTo);
    }
  }

  /** Adds nothing, and resolves to false, if the hour has counted the first of the attempts. */
  async #added(
    { integration, hour }: IntegrationHour,
    shard: string,
    attempts: readonly StreamedAttempt[],
  ): Promise<boolean> {
    const counts = Object.entries(tallyAttributes(tallyOf(attempts)));
    const update = new UpdateCommand({
      TableName: this.#table,
      Key: { integration, hour },
      UpdateExpression: `SET expiresAt = :expiresAt, #upTo = :last
        ADD ${counts.map(([name]) => `${name} :${name}`).join(', ')}`,
      ConditionExpression: 'attribute_not_exists(#upTo) OR #upTo < :first',
      ExpressionAttributeNames: { '#upTo': upToAttribute(shard) },
      ExpressionAttributeValues: {
        ...Object.fromEntries(counts.map(([name, count]) => [`:${name}`, count])),
        ':expiresAt': expiryOf(hour),
        ':first': attempts[0]?.position,
        ':last': attempts.at(-1)?.position,
      },
    });
    return (await ifConditionHolds(this.#client.send(update))) !== undefined;
  }

  async #upTo({ integration, hour }: IntegrationHour, shard: string): Promise<string> {
    const name = upToAttribute(shard);
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: { integration, hour },
        ProjectionExpression: '#upTo',
        ExpressionAttributeNames: { '#upTo': name },
        ConsistentRead: true,
      }),
    );
    // Without the item, which DynamoDB has deleted since, the attempts are too old to be shown.
    return Item?.[name] ?? '~';
  }
}
