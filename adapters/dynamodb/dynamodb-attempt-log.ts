import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Attempt, AttemptLog } from '../../core/delivery/attempt.ts';

const DAY_S = 86_400;

/**
 * Table Attempts: key `integration`, `attempt`. The sort key begins with the attempt's instant, so
 * that it is ordered by time, and ends with event and number, so that two attempts of one
 * millisecond are two items.
 */
export class DynamoDbAttemptLog implements AttemptLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #retentionDays: number;

  constructor(client: DynamoDBDocumentClient, table: string, options: { retentionDays: number }) {
    this.#client = client;
    this.#table = table;
    this.#retentionDays = options.retentionDays;
  }

  async record(attempt: Attempt): Promise<void> {
    await this.#client.send(
      new PutCommand({ TableName: this.#table, Item: this.#itemOf(attempt) }),
    );
  }

  #itemOf({ event, outcome, startedAt, ...attempt }: Attempt): Record<string, unknown> {
    const { result } = outcome;
    return {
      integration: attempt.integration,
      attempt: `${startedAt.toISOString()}#${event.id}#${attempt.number}`,
      account: attempt.account,
      eventId: event.id,
      eventType: event.type,
      number: attempt.number,
      trigger: attempt.trigger,
      startedAt: startedAt.toISOString(),
      durationMs: attempt.durationMs,
      outcome: outcome.class,
      ...(result.kind === 'answered'
        ? { statusCode: result.statusCode, response: result.responseStart }
        : { reason: result.reason, code: result.code }),
      expiresAt: Math.floor(startedAt.getTime() / 1_000) + this.#retentionDays * DAY_S,
    };
  }
}
