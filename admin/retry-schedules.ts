import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { EventBridgeRetrySchedules } from '../adapters/scheduler/eventbridge-retry-schedules.ts';
import { inChunks } from '../core/in-chunks.ts';
import type { Integration, IntegrationReader } from '../core/integration/integration.ts';
import type { EveryIntegration } from '../core/integration/integration-store.ts';
import type { ClientConfig } from './target.ts';

type Schedules = Pick<EventBridgeRetrySchedules, 'make' | 'missingOf'>;

interface Ports {
  readonly integrations: Pick<IntegrationReader, 'find'> & EveryIntegration;
  readonly schedules: Schedules;
}

export interface TroubleSchedules {
  /** Makes the schedules of all integrations in trouble. `existed`: the others. */
  make(): Promise<{ readonly made: number; readonly existed: number }>;
  /** The integrations in trouble, and those of them that have no schedule. */
  check(): Promise<{ readonly inTrouble: number; readonly without: readonly Integration[] }>;
}

/**
 * Each call takes some 40 ms: 500 schedules a second, of which Scheduler takes 250 to 5,000 by
 * region, and the client repeats what is throttled. 20,000 integrations take 40 to 80 seconds.
 */
const AT_ONCE = 20;

/**
 * The hourly schedules of the integrations in trouble. A schedule of a trouble that has just ended
 * finds its epoch over, and removes itself.
 */
export const buildTroubleSchedules = (ports: Ports): TroubleSchedules => ({
  make: async () => {
    const all = await integrationsInTrouble(ports);
    const made = await eachOf(all, (integration) => ports.schedules.make(integration));
    const count = made.filter(Boolean).length;
    return { made: count, existed: all.length - count };
  },
  check: async () => {
    const all = await integrationsInTrouble(ports);
    const missing = await ports.schedules.missingOf(all);
    // A schedule is removed after its trouble has ended: one that is missing may have been needless.
    const still = await eachOf(missing, async ({ account, id, epoch }) => {
      const integration = await ports.integrations.find(account, id);
      return integration?.trouble !== undefined && integration.epoch === epoch;
    });
    return { inTrouble: all.length, without: missing.filter((_, index) => still[index]) };
  },
});

/** Waiting, busy or failed. Reads the whole table. */
export const integrationsInTrouble = async ({
  integrations,
}: Pick<Ports, 'integrations'>): Promise<readonly Integration[]> => {
  const found: Integration[] = [];
  let page: Awaited<ReturnType<EveryIntegration['pageOfAll']>> | undefined;
  do {
    page = await integrations.pageOfAll(page?.next);
    found.push(...page.integrations.filter(({ trouble }) => trouble !== undefined));
  } while (page.next);
  return found;
};

export const eachOf = async <Each, Result>(
  all: readonly Each[],
  work: (each: Each) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const some of inChunks(all, AT_ONCE)) {
    results.push(...(await Promise.all(some.map(work))));
  }
  return results;
};

/** The schedules of a stage, as its functions make them. */
export const connectRetrySchedules = async (
  config: ClientConfig,
  findName: (output: string) => Promise<string>,
): Promise<EventBridgeRetrySchedules> =>
  new EventBridgeRetrySchedules(new SchedulerClient(config), {
    group: await findName('RetryScheduleGroup'),
    roleArn: await findName('RetryScheduleRoleArn'),
    queueArn: await findName('RetryQueueArn'),
    deadLetterQueueArn: await findName('ScheduleDeadLetterQueueArn'),
    retryIntervalMs: Number(await findName('RetryIntervalMs')),
    now: () => new Date(),
  });
