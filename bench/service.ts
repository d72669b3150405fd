import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Assemble, LocalAwsOptions } from 'local-aws/local-aws.ts';
import type { PlatformEvent } from '../core/event/event.ts';
import type { EventType } from '../core/event/event-types.ts';
import { awsClientConfig } from '../local/endpoints-file.ts';
import { startSeededRun } from '../local/seeded-run.ts';
import type * as CustomerOf from '../test/support/journey/customer-of.ts';
import { type Platform, platformOf } from '../test/support/journey/platform-of.ts';
import { localRunIn, startChild } from './child.ts';
import { type EventSender, eventSender } from './event-sender.ts';
import { type Endpoint, now, startReceiver } from './receiver.ts';
import type { RunInProcess, RunSettings } from './service-process.ts';

export interface BenchedService {
  readonly run: RunInProcess;
  readonly send: EventSender['send'];
  /** Creates a customer beside the one that `run` has. */
  newCustomer(): Promise<CustomerOf.Customer>;
  /**
   * Registers a webhook for events of one type, for the customer that `run` has or for another. At
   * first its endpoint confirms every POST.
   */
  webhookFor(type: EventType, customer?: CustomerOf.Customer): Promise<Webhook>;
  /** Puts events on the events queue, ten with each call of SQS. */
  publish(events: readonly PlatformEvent[]): Promise<void>;
  /** The CPU time of the run until now, in seconds. */
  cpuSeconds(): Promise<number>;
  /** Resolves when no queue has had a message for a second, to the instant when the second began. */
  untilQuiet(): Promise<number>;
  stop(): Promise<void>;
}

interface Webhook {
  readonly endpoint: Endpoint;
  /** The integration's `status`, as the API shows it. */
  status(): Promise<string>;
}

export const STATE_DIRECTORY = '.local/bench';

type ServiceOptions = Partial<Pick<LocalAwsOptions, 'interceptAws'> & RunSettings> & {
  readonly assemble?: Assemble;
  /** The folder of the code that runs in a process of its own. */
  readonly tree?: string;
};

/**
 * Starts an embedded run with a customer, in a process of its own, and a receiver in this process. A
 * bench that intercepts calls or assembles the run has the run in its own process.
 */
export const startBenchedService = async ({
  hourSeconds = 3_600,
  stateDirectory = STATE_DIRECTORY,
  interceptAws,
  assemble,
  tree = '.',
}: ServiceOptions = {}): Promise<BenchedService> => {
  const settings = { hourSeconds, stateDirectory };
  const { stop, cpuUsage, ...run } =
    interceptAws || assemble
      ? {
          ...(await startSeededRun(
            { ...settings, apiPort: 0, awsPort: 0, interceptAws, onFunctionFailure: console.error },
            assemble,
          )),
          cpuUsage: async () => process.cpuUsage(),
        }
      : await startRunInProcess(settings, tree);
  const { endpoints, outputs } = run;
  const receiver = await startReceiver(endpoints);
  const sender = eventSender(endpoints.eventsQueueUrl);
  const countMessages = messageCount(new SQSClient(awsClientConfig(endpoints)), outputs);
  return {
    run,
    send: sender.send,
    newCustomer: async () => {
      // The tree's own code: another commit may store accounts in another form.
      const { newCustomerOf }: typeof CustomerOf = await import(
        resolve(tree, 'test/support/journey/customer-of.ts')
      );
      return newCustomerOf(endpoints, outputs.DirectoryTableName ?? '');
    },
    webhookFor: async (type, customer) => {
      const platform: Platform = customer ?? platformOf(endpoints);
      const { account } = customer ?? endpoints;
      const { endpoint, url } = receiver.endpointAt(`/${account}/${type}`);
      const { id: path } = await platform.register(url, { actions: { [type]: true } });
      const status = async () => String((await platform.call('GET', path)).document.status);
      return { endpoint, status };
    },
    publish: async (events) => {
      for (let start = 0; start < events.length; start += 10) {
        await sender.sendBatch(events.slice(start, start + 10));
      }
    },
    cpuSeconds: async () => {
      const { user, system } = await cpuUsage();
      return (user + system) / 1e6;
    },
    untilQuiet: () => untilQuiet(countMessages),
    stop: async () => {
      await stop();
      await receiver.close();
    },
  };
};

const startRunInProcess = async (
  settings: RunSettings,
  tree: string,
): Promise<RunInProcess & { stop(): Promise<void>; cpuUsage(): Promise<NodeJS.CpuUsage> }> => {
  const file = resolve(tree, 'bench/service-process.ts');
  const child = await startChild<RunInProcess, object, NodeJS.CpuUsage>(file, {
    settings,
    ...localRunIn(tree),
  });
  return { ...child.ready, stop: async () => child.stop(), cpuUsage: () => child.ask({}) };
};

const QUIET_MS = 1_000;
const SAMPLE_MS = 100;

const untilQuiet = async (countMessages: () => Promise<number>): Promise<number> => {
  for (let quietSince: number | undefined; ; await delay(SAMPLE_MS)) {
    if ((await countMessages()) > 0) quietSince = undefined;
    else quietSince ??= now();
    if (quietSince !== undefined && now() - quietSince >= QUIET_MS) return quietSince;
  }
};

const COUNTS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;

/** Returns a function that counts the messages of the work queues, in flight or not. */
const messageCount = (client: SQSClient, outputs: Readonly<Record<string, string>>) => {
  const urls = Object.entries(outputs)
    .filter(([key]) => /(?<!DeadLetter)QueueUrl$/.test(key))
    .map(([, url]) => url);
  return async (): Promise<number> => {
    const numbers = await Promise.all(
      urls.map(async (QueueUrl) => {
        const { Attributes = {} } = await client.send(
          new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...COUNTS] }),
        );
        return COUNTS.map((count) => Number(Attributes[count]));
      }),
    );
    return numbers.flat().reduce((sum, number) => sum + number, 0);
  };
};

/** `share` is from 0 to 1: 0.5 gives the median. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
};
