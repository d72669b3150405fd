import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { EventBridgeRetrySchedules } from '../adapters/scheduler/eventbridge-retry-schedules.ts';
import { inChunks } from '../core/in-chunks.ts';
import type { Integration, IntegrationReader } from '../core/integration/integration.ts';
import type { EveryIntegration, StorePart } from '../core/integration/integration-store.ts';
import type { ClientConfig } from './target.ts';

type Schedules = Pick<EventBridgeRetrySchedules, 'make' | 'exists'>;

interface Ports {
  readonly integrations: Pick<IntegrationReader, 'find'> & EveryIntegration;
  readonly schedules: Schedules;
}

export interface TroubleSchedules {
  /** Makes the schedules of all integrations in trouble. `existed`: the others. */
  make(): Promise<{ readonly made: number; readonly existed: number }>;
  /** Of a sample of the integrations: those in trouble, and those of them without a schedule. */
  check(): Promise<{
    readonly inTrouble: number;
    readonly without: readonly Integration[];
    /** How much of the table was read, in whole percent, rounded down. */
    readonly percent: number;
  }>;
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
    const { inTrouble, percent } = await sampleInTrouble(ports);
    const exist = await eachOf(inTrouble, (integration) => ports.schedules.exists(integration));
    const missing = inTrouble.filter((_, index) => !exist[index]);
    // A schedule is removed after its trouble has ended: one that is missing may have been needless.
    const still = await eachOf(missing, async ({ account, id, epoch }) => {
      const integration = await ports.integrations.find(account, id);
      return integration?.trouble !== undefined && integration.epoch === epoch;
    });
    const without = missing.filter((_, index) => still[index]);
    return { inTrouble: inTrouble.length, without, percent };
  },
});

/** Waiting, busy or failed. Reads the whole table. */
export const integrationsInTrouble = async ({
  integrations,
}: Pick<Ports, 'integrations'>): Promise<readonly Integration[]> => {
  const found: Integration[] = [];
  for await (const page of pagesOf(integrations)) found.push(...page.filter(isInTrouble));
  return found;
};

/** Percent of the table. */
const PARTS = 100;

/** Reading so many takes some 25 seconds, and looking for so many schedules ten. */
const ENOUGH = { integrations: 100_000, inTrouble: 5_000 };

/** Reads parts of the table, from a random one on, until it has enough. */
const sampleInTrouble = async ({
  integrations,
}: Pick<Ports, 'integrations'>): Promise<{ inTrouble: Integration[]; percent: number }> => {
  const inTrouble: Integration[] = [];
  const first = Math.floor(Math.random() * PARTS);
  let read = 0;
  for (let percent = 0; percent < PARTS; percent += 1) {
    const part = { index: (first + percent) % PARTS, of: PARTS };
    for await (const page of pagesOf(integrations, part)) {
      if (read >= ENOUGH.integrations || inTrouble.length >= ENOUGH.inTrouble) {
        return { inTrouble, percent };
      }
      read += page.length;
      inTrouble.push(...page.filter(isInTrouble));
    }
  }
  return { inTrouble, percent: PARTS };
};

const isInTrouble = ({ trouble }: Integration): boolean => trouble !== undefined;

async function* pagesOf(
  integrations: EveryIntegration,
  part?: StorePart,
): AsyncGenerator<readonly Integration[]> {
  let page: Awaited<ReturnType<EveryIntegration['pageOfAll']>> | undefined;
  do {
    page = await integrations.pageOfAll(page?.next, part);
    yield page.integrations;
  } while (page.next);
}

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
