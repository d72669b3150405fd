import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbIntegrationWriter } from '../adapters/dynamodb/integrations/integration-writer.ts';
import { SqsReplayRequests } from '../adapters/sqs/sqs-replay-requests.ts';
import type { ReplayRequests } from '../core/delivery/pending/replay-requests.ts';
import type { RetrySchedules } from '../core/delivery/trouble/begin-trouble.ts';
import { buildSettingsChange } from '../core/delivery/trouble/settings-change.ts';
import { buildChangeIntegration, buildPause } from '../core/integration/change-integration.ts';
import type {
  Integration,
  IntegrationKey,
  IntegrationReader,
} from '../core/integration/integration.ts';
import type {
  EveryIntegration,
  IntegrationLists,
  IntegrationWriter,
} from '../core/integration/integration-store.ts';
import { connectRetrySchedules, eachOf, integrationsInTrouble } from './retry-schedules.ts';
import type { ClientConfig } from './target.ts';

interface Ports {
  readonly integrations: Pick<IntegrationReader, 'find'> &
    Pick<IntegrationWriter, 'replace'> &
    Pick<IntegrationLists, 'listOf'> &
    EveryIntegration;
  readonly schedules: RetrySchedules;
  readonly replays: ReplayRequests;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/** What an operator changes for a customer, as the API would. */
export interface IntegrationChanges {
  /** `keep`: its events are stored while it is inactive. */
  setActive(
    integration: IntegrationKey,
    to: { active: boolean; keep?: true | undefined },
  ): Promise<Integration>;
  /** Ends the trouble and replays what is pending: a change that leaves the settings as they are. */
  recover(integration: IntegrationKey): Promise<Integration>;
  /** Recovers the integrations of the status, of one account or of all. Resolves to how many. */
  recoverAll(status: 'busy' | 'failed', account?: string): Promise<number>;
}

export const buildIntegrationChanges = (ports: Ports): IntegrationChanges => {
  const change = buildChangeIntegration({
    ...ports,
    settingsChange: buildSettingsChange(ports),
    pause: buildPause({ random: Math.random, sleep: ports.sleep }),
  });
  const by = { kind: 'operator' } as const;
  const recover = (key: IntegrationKey) => change({ ...key, by }, () => ({}));
  return {
    setActive: (key, { active, keep }) =>
      change({ ...key, by }, ({ settings }) => ({
        active,
        settings: keep ? { ...settings, whileInactive: 'keep' } : settings,
      })),
    recover,
    recoverAll: async (status, account) => {
      const all =
        account === undefined
          ? await integrationsInTrouble(ports)
          : await ports.integrations.listOf(account);
      const wanted = all.filter(({ active, trouble }) => active && trouble?.kind === status);
      await eachOf(wanted, (one) => recover({ account: one.account, id: one.id }));
      return wanted.length;
    },
  };
};

export const connectIntegrationChanges = async (
  config: ClientConfig,
  findName: (output: string) => Promise<string>,
): Promise<IntegrationChanges> =>
  buildIntegrationChanges({
    integrations: new DynamoDbIntegrationWriter(
      DynamoDBDocumentClient.from(new DynamoDBClient(config)),
      await findName('IntegrationsTableName'),
    ),
    schedules: await connectRetrySchedules(config, findName),
    replays: new SqsReplayRequests(new SQSClient(config), await findName('ReplayQueueUrl'), {
      newDeduplicationId: randomUUID,
    }),
    now: () => new Date(),
    sleep,
  });
