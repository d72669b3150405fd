import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ResourceNotFoundException,
  type SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { type RetrySchedules, scheduleInput } from '../../core/delivery/trouble/begin-trouble.ts';
import type { IntegrationEpoch } from '../../core/integration/integration.ts';
import { sharedCalls } from '../gathered-calls.ts';

interface RetryTarget {
  readonly group: string;
  /** The role with which Scheduler sends to both queues. */
  readonly roleArn: string;
  /** The retry queue: a schedule that fires puts its input on it. */
  readonly queueArn: string;
  /** Gets what Scheduler could not put on the retry queue. */
  readonly deadLetterQueueArn: string;
  /** From the creation of a schedule to its first run; later runs come every hour. */
  readonly retryIntervalMs: number;
  readonly now: () => Date;
}

/** Spreads the retries of integrations that got into trouble together. */
const WINDOW_MINUTES = 10;

/** A firing that cannot be put on the queue for so long is given up: the next hour's replaces it. */
const LONGEST_SENDING_S = 1_800;

/** Hourly schedules in EventBridge Scheduler, named `<integration>-<epoch>`. */
export class EventBridgeRetrySchedules implements RetrySchedules {
  readonly #client: SchedulerClient;
  readonly #target: RetryTarget;
  /** An existing schedule keeps its next run. The records of a batch share a call. */
  readonly ensure = sharedCalls(
    async (schedule: IntegrationEpoch) => void (await this.make(schedule)),
    nameOf,
  );

  constructor(client: SchedulerClient, target: RetryTarget) {
    this.#client = client;
    this.#target = target;
  }

  /** As `ensure`. Resolves to false if the schedule existed. */
  async make(schedule: IntegrationEpoch): Promise<boolean> {
    const { retryIntervalMs, now } = this.#target;
    const first = new Date(now().getTime() + retryIntervalMs);
    const create = new CreateScheduleCommand(this.#definition(schedule, first));
    return succeedsUnless(ConflictException, this.#client.send(create));
  }

  /** An update resets every field that it leaves out. */
  async move(schedule: IntegrationEpoch, next: Date): Promise<void> {
    const update = new UpdateScheduleCommand(this.#definition(schedule, next));
    await succeedsUnless(ResourceNotFoundException, this.#client.send(update));
  }

  #definition(schedule: IntegrationEpoch, first: Date) {
    const { group, roleArn, queueArn, deadLetterQueueArn } = this.#target;
    return {
      GroupName: group,
      Name: nameOf(schedule),
      ScheduleExpression: 'rate(1 hour)',
      // Without a StartDate the first run would be at once.
      StartDate: first,
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: WINDOW_MINUTES },
      Target: {
        Arn: queueArn,
        RoleArn: roleArn,
        Input: scheduleInput(schedule),
        DeadLetterConfig: { Arn: deadLetterQueueArn },
        RetryPolicy: { MaximumEventAgeInSeconds: LONGEST_SENDING_S },
      },
    } as const;
  }

  async remove(schedule: IntegrationEpoch): Promise<void> {
    const remove = new DeleteScheduleCommand({
      GroupName: this.#target.group,
      Name: nameOf(schedule),
    });
    await succeedsUnless(ResourceNotFoundException, this.#client.send(remove));
  }

  async exists(schedule: IntegrationEpoch): Promise<boolean> {
    const get = new GetScheduleCommand({
      GroupName: this.#target.group,
      Name: nameOf(schedule),
    });
    return succeedsUnless(ResourceNotFoundException, this.#client.send(get));
  }
}

const nameOf = ({ id, epoch }: IntegrationEpoch): string => `${id}-${epoch}`;

/** False after the given exception. */
const succeedsUnless = async (
  Exception: typeof ConflictException | typeof ResourceNotFoundException,
  call: Promise<unknown>,
): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (error) {
    if (!(error instanceof Exception)) throw error;
    return false;
  }
};
