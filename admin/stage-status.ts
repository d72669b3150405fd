import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Stack } from '../adapters/cloudformation/stacks.ts';
import {
  readAlarms,
  readOldestAges,
  type StageAlarm,
} from '../adapters/cloudwatch/stage-metrics.ts';
import { type QueueDepth, readQueueDepth } from '../adapters/sqs/sqs-operator-queues.ts';
import { QUEUES } from './stage-queues.ts';
import { STACKS, type StageStacks } from './stage-stacks.ts';
import type { ClientConfig } from './target.ts';

export interface QueueStatus extends QueueDepth {
  readonly queue: string;
  readonly isDeadLetterQueue: boolean;
  /** Absent if CloudWatch does not know it. */
  readonly oldestSeconds?: number;
}

/** A value of CloudWatch, or the reason why it is missing. */
type Reading<Value> = Value | { readonly unavailable: string };

export interface StageStatus {
  readonly stacks: readonly Stack[];
  readonly queues: readonly QueueStatus[];
  readonly ages: Reading<ReadonlyMap<string, number>>;
  readonly alarms: Reading<readonly StageAlarm[]>;
}

/** Reads the state of a stage. Values of CloudWatch may be missing; the rest is shown. */
export const readStageStatus = async (
  stage: string,
  { stacks, config, now }: { stacks: StageStacks; config: ClientConfig; now: Date },
): Promise<StageStatus> => {
  const { outputs } = await stacks.stack('service');
  const queueUrls = QUEUES.flatMap(({ output, ...queue }) => {
    const url = outputs[output];
    return url === undefined ? [] : [{ ...queue, url }];
  });
  const [sqs, cloudWatch] = [new SQSClient(config), new CloudWatchClient(config)];
  const names = queueUrls.map(({ url }) => queueName(url));
  const [described, depths, ages, alarms] = await Promise.all([
    Promise.all(STACKS.map((kind) => stacks.stack(kind))),
    Promise.all(queueUrls.map(({ url }) => readQueueDepth(sqs, url))),
    reading(readOldestAges(cloudWatch, names, now)),
    reading(readAlarms(cloudWatch, `integrations-${stage}-`)),
  ]);
  return {
    stacks: described,
    queues: queueUrls.map(({ queue, isDeadLetterQueue, url }, index) => {
      const age = isKnown(ages) ? ages.get(queueName(url)) : undefined;
      return {
        queue,
        isDeadLetterQueue,
        ...(depths[index] ?? { visible: 0, inFlight: 0, delayed: 0 }),
        ...(age !== undefined && { oldestSeconds: age }),
      };
    }),
    ages,
    alarms,
  };
};

const queueName = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

const reading = <Value>(started: Promise<Value>): Promise<Reading<Value>> =>
  started.catch((fault: unknown) => ({
    unavailable: fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault),
  }));

export const isKnown = <Value>(read: Reading<Value>): read is Value =>
  !(typeof read === 'object' && read !== null && 'unavailable' in read);
