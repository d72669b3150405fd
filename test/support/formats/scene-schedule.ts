import type { CreateScheduleCommandInput } from '@aws-sdk/client-scheduler';
import type { EmulatedScheduler } from 'local-aws/test/support/scheduler.ts';
import { EventBridgeRetrySchedules } from '../../../adapters/scheduler/eventbridge-retry-schedules.ts';
import { SCENE_NOW, TROUBLED } from './scene.ts';

export const SCENE_GROUP = 'integrations-dev';

/** The schedules of a stage, as this version makes and removes them. */
export const sceneSchedules = ({ client }: Pick<EmulatedScheduler, 'client'>) =>
  new EventBridgeRetrySchedules(client, {
    group: SCENE_GROUP,
    roleArn: 'arn:aws:iam::000000000000:role/schedules',
    queueArn: 'arn:aws:sqs:us-east-1:000000000000:retries',
    deadLetterQueueArn: 'arn:aws:sqs:us-east-1:000000000000:schedule-dead-letters',
    retryIntervalMs: 3_600_000,
    now: () => SCENE_NOW,
  });

/** The call by which this version creates a schedule, as JSON has it. */
export const createdSchedule = async (
  scheduler: EmulatedScheduler,
): Promise<CreateScheduleCommandInput> => {
  let input: unknown;
  scheduler.client.middlewareStack.add(
    (next) => (call) => {
      input = call.input;
      return next(call);
    },
    { step: 'initialize', name: 'keepsInput', override: true },
  );
  await sceneSchedules(scheduler).ensure(TROUBLED);
  const { ClientToken: _, ...created } = JSON.parse(JSON.stringify(input));
  return created;
};
