import { arn } from '../arn.ts';
import { AwsError } from '../aws/aws-request.ts';
import type { Queues } from '../aws/queues.ts';
import type { AccessGuard } from '../iam/access-guard.ts';
import { minutesOfRate, type ScheduleDefinition } from './schedule-definition.ts';

export interface Schedule {
  arn: string;
  definition: ScheduleDefinition;
}

export interface SchedulesOptions {
  clock: Clock;
  /** How many seconds an hour of a `rate()` lasts. Start dates are not changed. */
  hourSeconds: number;
  fire: (schedule: Schedule) => void;
}

/** AWS refuses a StartDate that is further in the past. */
const START_DATE_TOLERANCE_MS = 5 * 60_000;

export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #groups = new Set(['default']);
  readonly #schedules = new Map<string, Schedule>();
  /** Functions that cancel the next run of a schedule, by schedule. */
  readonly #nextRuns = new Map<Schedule, () => void>();

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  create(definition: ScheduleDefinition): Schedule {
    const { ClientToken, GroupName, Name } = definition;
    if (!this.#groups.has(GroupName)) throw missing(`Schedule group ${GroupName}`);
    const existing = this.#schedules.get(`${GroupName}/${Name}`);
    if (existing) {
      if (ClientToken && ClientToken === existing.definition.ClientToken) return existing;
      throw new AwsError('ConflictException', `Schedule ${Name} already exists.`, 409);
    }
    const schedule: Schedule = {
      arn: arn('scheduler', `schedule/${GroupName}/${Name}`),
      definition,
    };
    this.#start(schedule);
    this.#schedules.set(`${GroupName}/${Name}`, schedule);
    return schedule;
  }

  get(group: string, name: string): Schedule {
    const schedule = this.#schedules.get(`${group}/${name}`);
    if (schedule) return schedule;
    throw missing(`Schedule ${name}`);
  }

  /** Replaces all of the definition: without a start date the schedule fires at once. */
  update(definition: ScheduleDefinition): Schedule {
    const { GroupName, Name } = definition;
    const former = this.get(GroupName, Name);
    const schedule = { arn: former.arn, definition };
    this.#start(schedule);
    this.#end(former);
    this.#schedules.set(`${GroupName}/${Name}`, schedule);
    return schedule;
  }

  delete(group: string, name: string): void {
    this.#end(this.get(group, name));
    this.#schedules.delete(`${group}/${name}`);
  }

  list(): Schedule[] {
    return [...this.#schedules.values()];
  }

  createGroup(name: string): { name: string } {
    this.#groups.add(name);
    return { name };
  }

  stop(): void {
    for (const cancel of this.#nextRuns.values()) cancel();
    this.#nextRuns.clear();
  }

  #end(schedule: Schedule): void {
    this.#nextRuns.get(schedule)?.();
    this.#nextRuns.delete(schedule);
  }

  #start(schedule: Schedule): void {
    const { clock, hourSeconds, fire } = this.#options;
    const { ScheduleExpression, StartDate } = schedule.definition;
    const intervalMs = (minutesOfRate(ScheduleExpression) * 1_000 * hourSeconds) / 60;
    const now = clock.now();
    const startAt = StartDate === undefined ? now : StartDate * 1_000;
    if (startAt < now - START_DATE_TOLERANCE_MS) {
      throw new AwsError(
        'ValidationException',
        'The StartDate you specify cannot be earlier than 5 minutes ago.',
      );
    }
    const runAt = (at: number): void => {
      const cancel = clock.after(at - clock.now(), () => {
        fire(schedule);
        runAt(Math.max(at + intervalMs, clock.now()));
      });
      this.#nextRuns.set(schedule, cancel);
    };
    runAt(Math.max(startAt, now));
  }
}

const missing = (what: string): AwsError =>
  new AwsError('ResourceNotFoundException', `${what} does not exist.`, 404);

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  after(delayMs: number, callback: () => void): () => void;
}

/** With a longer delay, Node's timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

interface Targets extends Pick<Queues, 'send'> {
  /** Starts a function; whether there is one. */
  invoke(functionArn: string, input: string): boolean;
}

/**
 * Gives a schedule's input, as its role, to its queue or function, or else its dead-letter queue.
 */
export const createTarget =
  ({ send, invoke }: Targets, access: () => AccessGuard | undefined) =>
  async ({ definition: { Target } }: Schedule): Promise<void> => {
    const { Input: input = '{}' } = Target;
    const sendAsRole = async (resource: string): Promise<boolean> => {
      const isFunction = resource.includes(':lambda:');
      const action = isFunction ? 'lambda:InvokeFunction' : 'sqs:SendMessage';
      const may = access()?.allows(Target.RoleArn, { action, resource });
      return may !== false && (isFunction ? invoke(resource, input) : send(resource, input));
    };
    const isReached = await sendAsRole(Target.Arn);
    const deadLetterArn = Target.DeadLetterConfig?.Arn;
    if (!isReached && deadLetterArn) await sendAsRole(deadLetterArn);
  };
