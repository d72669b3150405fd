import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Attempt, AttemptLog } from '../../core/delivery/attempt.ts';
import { ifConditionHolds } from './conditional-write.ts';
import {
  type AttemptItem,
  attemptEntry,
  type DeliveryLogKey,
  expiresAt,
  listingEntry,
  type StoredAttempt,
} from './delivery-log-keys.ts';

interface ListingChange {
  readonly sets: readonly string[];
  readonly condition: string;
  readonly names?: Readonly<Record<`#${string}`, string>>;
  readonly values: Readonly<Record<`:${string}`, unknown>>;
}

/**
 * Table DeliveryLog: each attempt is an item, and the listing entry of its delivery says what it
 * came to. Made again after a lost answer, both are what they were.
 */
export class DynamoDbAttemptLog implements AttemptLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #options: { readonly retentionDays: number };

  constructor(client: DynamoDBDocumentClient, table: string, options: { retentionDays: number }) {
    this.#client = client;
    this.#table = table;
    this.#options = options;
  }

  async record(attempt: Attempt): Promise<void> {
    const Item: AttemptItem = itemOf(attempt, expiresAt(attempt.startedAt, this.#options));
    await Promise.all([
      this.#client.send(new PutCommand({ TableName: this.#table, Item })),
      this.#list(attempt),
    ]);
  }

  /** An attempt that is recorded late does not hide a later one, yet what it delivered arrived. */
  async #list(attempt: Attempt): Promise<void> {
    const arrival = arrivalOf(attempt);
    const isLatest = await this.#change(attempt, {
      sets: [
        'account = :account',
        '#reference = :reference',
        'latestAttempt = :latest',
        'expiresAt = :expiresAt',
        ...(arrival?.sets ?? []),
      ],
      condition: 'attribute_not_exists(latestAttempt) OR latestAttempt.startedAt <= :startedAt',
      names: { '#reference': 'reference' },
      values: {
        ':account': attempt.account,
        ':reference': attempt.event,
        ':latest': storedAttempt(attempt),
        ':expiresAt': expiresAt(attempt.startedAt, this.#options),
        ':startedAt': attempt.startedAt.toISOString(),
        ...arrival?.values,
      },
    });
    if (!isLatest && arrival) await this.#change(attempt, arrival);
  }

  /** Whether its condition held. */
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

/** Set once: what arrived has arrived, whatever comes after. */
const arrivalOf = ({ outcome, startedAt, durationMs }: Attempt): ListingChange | undefined =>
  outcome.class === 'delivered'
    ? {
        sets: ['deliveredAt = if_not_exists(deliveredAt, :deliveredAt)'],
        // A purge may be faster: nothing is left of an integration that is gone.
        condition: 'attribute_exists(latestAttempt)',
        values: { ':deliveredAt': new Date(startedAt.getTime() + durationMs).toISOString() },
      }
    : undefined;

const itemOf = (attempt: Attempt, expiry: number): AttemptItem => {
  const { result } = attempt.outcome;
  return {
    integration: attempt.integration,
    entry: attemptEntry(attempt),
    account: attempt.account,
    reference: attempt.event,
    ...storedAttempt(attempt),
    ...(result.kind === 'answered' && { response: result.responseStart }),
    expiresAt: expiry,
  };
};

const storedAttempt = ({ outcome, nextAttemptAt, ...attempt }: Attempt): StoredAttempt => {
  const { result } = outcome;
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: outcome.class,
    ...(result.kind === 'answered'
      ? { statusCode: result.statusCode }
      : { reason: result.reason, ...(result.code !== undefined && { code: result.code }) }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: nextAttemptAt.toISOString() }),
  };
};
