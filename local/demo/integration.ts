import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { DynamoDbPendingView } from '../../adapters/dynamodb/dynamodb-pending-view.ts';
import { EVENT_TYPES } from '../../core/event/event-types.ts';
import { awsClientConfig } from '../endpoints-file.ts';
import type { Seeded } from '../seed.ts';
import type { SeededRun } from '../seeded-run.ts';

interface Registration {
  readonly api: string;
  readonly customer: Seeded;
  readonly webhookSecret: string;
}

/**
 * Registers a webhook for every event type through the API. Resolves to the integration's path;
 * throws when the API refuses.
 */
export const registerWebhook = async (
  baseUrl: string,
  { api, customer, webhookSecret }: Registration,
): Promise<string> => {
  const response = await fetch(`${api}/${customer.account}/integrations`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${customer.adminToken}`,
      'Content-Type': 'application/vnd.service+jsonld',
      Accept: 'application/vnd.service+jsonld',
    },
    body: JSON.stringify({
      '@context': '/contexts/Integration.jsonld',
      '@type': 'Integration',
      active: true,
      provider: 'webhook',
      config: { baseUrl, webhookSecret },
      settings: { actions: Object.fromEntries(EVENT_TYPES.map((type) => [type, true])) },
    }),
  });
  const text = await response.text();
  if (response.status === 201) return JSON.parse(text).id;
  throw new Error(`Registering the webhook was answered ${response.status}: ${text}`);
};

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
