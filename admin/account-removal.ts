import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbChangeLog } from '../adapters/dynamodb/changes/change-log.ts';
import { administrationPorts } from '../adapters/dynamodb/directory/administration-ports.ts';
import { DynamoDbIdempotencyRecords } from '../adapters/dynamodb/directory/idempotency-records.ts';
import { DynamoDbIntegrationWriter } from '../adapters/dynamodb/integrations/integration-writer.ts';
import { DynamoDbPendingView } from '../adapters/dynamodb/pending-events/pending-view.ts';
import { SqsReplayRequests } from '../adapters/sqs/sqs-replay-requests.ts';
import type { PendingView } from '../core/delivery/pending/pending-view.ts';
import type { ReplayRequests } from '../core/delivery/pending/replay-requests.ts';
import {
  buildListObserved,
  type ObservationPorts,
} from '../core/delivery/reading/observe-integrations.ts';
import type { RetrySchedules } from '../core/delivery/trouble/begin-trouble.ts';
import { buildSettingsChange } from '../core/delivery/trouble/settings-change.ts';
import {
  type AccountIntegrations,
  type AccountRemovalPorts,
  buildCountAccount,
} from '../core/directory/count-account.ts';
import { buildRemoveAccount } from '../core/directory/remove-account.ts';
import type { UserPool } from '../core/directory/remove-user.ts';
import { buildDeleteIntegration, buildPause } from '../core/integration/change-integration.ts';
import type { IntegrationWriter } from '../core/integration/integration-store.ts';
import { connectRetrySchedules } from './retry-schedules.ts';
import type { ClientConfig } from './target.ts';

export interface AccountRemoval {
  readonly count: ReturnType<typeof buildCountAccount>;
  readonly remove: ReturnType<typeof buildRemoveAccount>;
}

interface Whereabouts {
  findName(output: string): Promise<string>;
  readonly directoryTable: string;
  readonly pool: UserPool;
}

export const connectAccountRemoval = async (
  config: ClientConfig,
  { findName, directoryTable, pool }: Whereabouts,
): Promise<AccountRemoval> => {
  const client = new DynamoDBClient(config);
  const documents = DynamoDBDocumentClient.from(client);
  const table = async (name: string) => findName(`${name}TableName`);
  const now = () => new Date();
  return buildAccountRemoval({
    ...administrationPorts(client, directoryTable),
    idempotency: new DynamoDbIdempotencyRecords(documents, directoryTable),
    changes: new DynamoDbChangeLog(documents, await table('Changes')),
    pool,
    sleep,
    integrations: accountIntegrations({
      integrations: new DynamoDbIntegrationWriter(documents, await table('Integrations')),
      pending: new DynamoDbPendingView(documents, await table('PendingEvents')),
      schedules: await connectRetrySchedules(config, findName),
      replays: new SqsReplayRequests(new SQSClient(config), await findName('ReplayQueueUrl'), {
        newDeduplicationId: randomUUID,
      }),
      now,
      sleep,
    }),
  });
};

export const buildAccountRemoval = (ports: AccountRemovalPorts): AccountRemoval => ({
  count: buildCountAccount(ports),
  remove: buildRemoveAccount(ports),
});

interface IntegrationPorts {
  readonly integrations: ObservationPorts['integrations'] & Pick<IntegrationWriter, 'remove'>;
  readonly pending: PendingView;
  readonly schedules: RetrySchedules;
  readonly replays: ReplayRequests;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/** The integrations of accounts, which are deleted as the API deletes them. */
export const accountIntegrations = (ports: IntegrationPorts): AccountIntegrations => {
  const listObserved = buildListObserved(ports);
  const deleteIntegration = buildDeleteIntegration({
    integrations: ports.integrations,
    now: ports.now,
    settingsChange: buildSettingsChange(ports),
    pause: buildPause({ random: Math.random, sleep: ports.sleep }),
  });
  return {
    countOf: async (account) => {
      const { listed } = await listObserved({ account }, undefined);
      return {
        integrations: listed.length,
        pendingEvents: listed.reduce((sum, { pending }) => sum + pending.count, 0),
        isExact: listed.every(({ pending }) => pending.isExact),
      };
    },
    idsOf: async (account) => (await ports.integrations.listOf(account)).map(({ id }) => id),
    remove: ({ account, id }) =>
      deleteIntegration({ account, id, by: { kind: 'operator' }, precondition: () => {} }),
  };
};
