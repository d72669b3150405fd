import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { DynamoDbPendingView } from '../../adapters/dynamodb/dynamodb-pending-view.ts';
import { awsClientConfig } from '../endpoints-file.ts';
import type { SeededRun } from '../seeded-run.ts';

const shownSchema = z.object({
  status: z.string(),
  isHealthy: z.boolean(),
  failure: z
    .object({
      since: z.string(),
      statusCode: z.number().optional(),
      reason: z.string().optional(),
      lastAttemptAt: z.string(),
      nextAttemptAt: z.string(),
    })
    .optional(),
});

export type ShownIntegration = z.infer<typeof shownSchema>;

/** More pending events than the demo makes. */
const COUNTED_UP_TO = 100_000;

export interface ObservedIntegration {
  /** Reads the integration through the API, with the member token. */
  read(): Promise<ShownIntegration>;
  /** Counts the pending events in the table itself. */
  countPending(): Promise<number>;
}

export const observeIntegration = (
  path: string,
  { customer, endpoints, outputs }: SeededRun,
): ObservedIntegration => {
  const pending = new DynamoDbPendingView(
    DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig(endpoints))),
    outputs.PendingEventsTableName ?? '',
  );
  return {
    read: async () => {
      const response = await fetch(endpoints.api + path, {
        headers: { Authorization: `Bearer ${customer.memberToken}` },
      });
      return shownSchema.parse(await response.json());
    },
    countPending: async () => {
      const kept = { integration: path.split('/').at(-1) ?? '', state: 'pending' as const };
      return (await pending.count(kept, COUNTED_UP_TO)).count;
    },
  };
};

const BETWEEN_READS_MS = 100;

/**
 * Reads a value every 100 ms until the value satisfies or `patienceMs` are over. Resolves to the
 * last value in either case.
 */
export const readUntil = async <Value>(
  read: () => Promise<Value>,
  satisfies: (value: Value) => boolean,
  { patienceMs }: { patienceMs: number },
): Promise<Value> => {
  const endsAt = performance.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (satisfies(value) || performance.now() > endsAt) return value;
    await delay(BETWEEN_READS_MS);
  }
};
