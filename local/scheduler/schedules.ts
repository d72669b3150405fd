import { arn } from '../arn.ts';
import { AwsError } from '../aws/answers.ts';
import type { Clock } from './clock.ts';
import type { ScheduleDefinition } from './schedule-definition.ts';
import { parseScheduleExpression } from './schedule-expression.ts';

export interface Schedule {
  arn: string;
  definition: ScheduleDefinition;
  createdAt: number;
  modifiedAt: number;
}

export interface ScheduleGroup {
  name: string;
  createdAt: number;
}

export interface SchedulesOptions {
  clock: Clock;
  /** How long an hour of a `rate()` lasts. Dates are instants and stay as they are. */
  hourSeconds: number;
  fire: (schedule: Schedule, scheduledAt: number) => void;
}

/** AWS refuses a StartDate further in the past than this. */
const START_DATE_TOLERANCE_MS = 5 * 60_000;

export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #groups = new Map<string, ScheduleGroup>();
  readonly #schedules = new Map<string, Schedule>();
  readonly #cancelNext = new Map<string, () => void>();

  constructor(options: SchedulesOptions) {
    this.#options = options;
    this.createGroup('default');
  }

  create(definition: ScheduleDefinition): Schedule {
    this.group(definition.GroupName);
    const existing = this.#schedules.get(key(definition));
    if (existing) {
      const { ClientToken } = existing.definition;
      if (ClientToken && ClientToken === definition.ClientToken) return existing;
      throw new AwsError('ConflictException', `Schedule ${definition.Name} already exists.`, 409);
    }
    return this.#put(definition, this.#options.clock.now());
  }

  update(definition: ScheduleDefinition): Schedule {
    return this.#put(definition, this.get(definition.GroupName, definition.Name).createdAt);
  }

  get(group: string, name: string): Schedule {
    const schedule = this.#schedules.get(`${group}/${name}`);
    if (schedule) return schedule;
    throw new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404);
  }

  delete(group: string, name: string): void {
    this.#remove(this.get(group, name));
  }

  list(): Schedule[] {
    return [...this.#schedules.values()];
  }

  createGroup(name: string): ScheduleGroup {
    if (this.#groups.has(name)) {
      throw new AwsError('ConflictException', `Schedule group ${name} already exists.`, 409);
    }
    const group = { name, createdAt: this.#options.clock.now() };
    this.#groups.set(name, group);
    return group;
  }

  group(name: string): ScheduleGroup {
    const group = this.#groups.get(name);
    if (group) return group;
    throw new AwsError('ResourceNotFoundException', `Schedule group ${name} does not exist.`, 404);
  }

  groups(): ScheduleGroup[] {
    return [...this.#groups.values()];
  }

  deleteGroup(name: string): void {
    this.group(name);
    if (name === 'default') {
      throw new AwsError('ValidationException', 'The default schedule group cannot be deleted.');
    }
    for (const schedule of this.list()) {
      if (schedule.definition.GroupName === name) this.#remove(schedule);
    }
    this.#groups.delete(name);
  }

  stop(): void {
    for (const cancel of this.#cancelNext.values()) cancel();
    this.#cancelNext.clear();
  }

  #put(definition: ScheduleDefinition, createdAt: number): Schedule {
    const now = this.#options.clock.now();
    parseScheduleExpression(definition.ScheduleExpression);
    if (startAt(definition, now) < now - START_DATE_TOLERANCE_MS) {
      throw new AwsError(
        'ValidationException',
        'The StartDate you specify cannot be earlier than 5 minutes ago.',
      );
    }
    const { GroupName, Name } = definition;
    const schedule: Schedule = {
      arn: arn('scheduler', `schedule/${GroupName}/${Name}`),
      definition,
      createdAt,
      modifiedAt: now,
    };
    this.#cancelNext.get(key(definition))?.();
    this.#schedules.set(key(definition), schedule);
    this.#start(schedule);
    return schedule;
  }

  #start(schedule: Schedule): void {
    const { definition } = schedule;
    if (definition.State === 'DISABLED') return;
    const now = this.#options.clock.now();
    const expression = parseScheduleExpression(definition.ScheduleExpression);
    if (expression.kind === 'at') {
      if (expression.at < now) return;
      this.#at(expression.at, schedule, () => this.#complete(schedule));
      return;
    }
    const intervalMs = (expression.minutes * 1_000 * this.#options.hourSeconds) / 60;
    const repeat = (at: number): void => {
      this.#at(at, schedule, () => repeat(Math.max(at + intervalMs, this.#options.clock.now())));
    };
    repeat(Math.max(startAt(definition, now), now));
  }

  #at(at: number, schedule: Schedule, andThen: () => void): void {
    const { clock, fire } = this.#options;
    const { EndDate } = schedule.definition;
    if (EndDate !== undefined && at > EndDate * 1_000) {
      this.#complete(schedule);
      return;
    }
    const cancel = clock.after(at - clock.now(), () => {
      fire(schedule, at);
      andThen();
    });
    this.#cancelNext.set(key(schedule.definition), cancel);
  }

  #complete(schedule: Schedule): void {
    if (schedule.definition.ActionAfterCompletion === 'DELETE') this.#remove(schedule);
  }

  #remove({ definition }: Schedule): void {
    this.#cancelNext.get(key(definition))?.();
    this.#cancelNext.delete(key(definition));
    this.#schedules.delete(key(definition));
  }
}

const key = ({ GroupName, Name }: ScheduleDefinition): string => `${GroupName}/${Name}`;

const startAt = ({ StartDate }: ScheduleDefinition, now: number): number =>
  StartDate === undefined ? now : StartDate * 1_000;
