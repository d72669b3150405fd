import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  type SchedulerClient,
} from '@aws-sdk/client-scheduler';
import type { RetrySchedule, RetrySchedules } from '../../core/delivery/retry-schedules.ts';

export interface RetryTarget {
  /** Schedule group. */
  readonly group: string;
  /** What Scheduler becomes to invoke the function. */
  readonly roleArn: string;
  /** Invoked asynchronously, with a RetrySchedule as its event. */
  readonly functionArn: string;
  /** From the creation to the first run; from then on it is an hour. */
  readonly retryIntervalMs: number;
  readonly now: () => Date;
}

/** Schedules of EventBridge Scheduler, named `<integration>-<incident>`. */
export class EventBridgeRetrySchedules implements RetrySchedules {
  readonly #client: SchedulerClient;
  readonly #target: RetryTarget;

  constructor(client: SchedulerClient, target: RetryTarget) {
    this.#client = client;
    this.#target = target;
  }

  /** One that exists stays as it is: its next run is not put off. */
  async ensure({ account, id, incident }: RetrySchedule): Promise<void> {
    const { group, roleArn, functionArn, retryIntervalMs, now } = this.#target;
    const create = new CreateScheduleCommand({
      GroupName: group,
      Name: nameOf({ id, incident }),
      ScheduleExpression: 'rate(1 hour)',
      // Without it the first run is at once.
      StartDate: new Date(now().getTime() + retryIntervalMs),
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: functionArn,
        RoleArn: roleArn,
        Input: JSON.stringify({ account, id, incident }),
      },
    });
    await unless(ConflictException, this.#client.send(create));
  }

  async remove({ id, incident }: RetrySchedule): Promise<void> {
    const remove = new DeleteScheduleCommand({
      GroupName: this.#target.group,
      Name: nameOf({ id, incident }),
    });
    await unless(ResourceNotFoundException, this.#client.send(remove));
  }
}

const nameOf = ({ id, incident }: Pick<RetrySchedule, 'id' | 'incident'>): string =>
  `${id}-${incident}`;

/** Waits for a call whose exception of that kind says that there is nothing left to do. */
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
