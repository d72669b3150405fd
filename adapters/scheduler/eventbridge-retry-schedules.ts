import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  type SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { type RetrySchedules, scheduleInput } from '../../core/delivery/trouble/retry-schedules.ts';
import type { IntegrationEpoch } from '../../core/integration/integration.ts';

export interface RetryTarget {
  /** Schedule group. */
  readonly group: string;
  /** The role that Scheduler takes to invoke the function. */
  readonly roleArn: string;
  /** Invoked asynchronously, with the schedule's input as its event. */
  readonly functionArn: string;
  /** From the creation to the first run; later runs come every hour. */
  readonly retryIntervalMs: number;
  readonly now: () => Date;
}

/** Schedules of EventBridge Scheduler, named `<integration>-<epoch>`. */
export class EventBridgeRetrySchedules implements RetrySchedules {
  readonly #client: SchedulerClient;
  readonly #target: RetryTarget;

  constructor(client: SchedulerClient, target: RetryTarget) {
    this.#client = client;
    this.#target = target;
  }

  /** A schedule that exists stays as it is: its next run is not put off. */
  async ensure(schedule: IntegrationEpoch): Promise<void> {
    const { group, roleArn, functionArn, retryIntervalMs, now } = this.#target;
    const create = new CreateScheduleCommand({
      GroupName: group,
      Name: nameOf(schedule),
      ScheduleExpression: 'rate(1 hour)',
      // Without a StartDate the first run is at once.
      StartDate: new Date(now().getTime() + retryIntervalMs),
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: functionArn,
        RoleArn: roleArn,
        Input: scheduleInput(schedule),
      },
    });
    await unless(ConflictException, this.#client.send(create));
  }

  async remove(schedule: IntegrationEpoch): Promise<void> {
    const remove = new DeleteScheduleCommand({
      GroupName: this.#target.group,
      Name: nameOf(schedule),
    });
    await unless(ResourceNotFoundException, this.#client.send(remove));
  }
}

const nameOf = ({ id, epoch }: IntegrationEpoch): string => `${id}-${epoch}`;

/** Waits for a call. An exception of the given kind says that there is nothing left to do. */
const unless = async (
  Exception: typeof ConflictException | typeof ResourceNotFoundException,
  call: Promise<unknown>,
): Promise<void> => {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Exception)) throw error;
  }
};
