/**
 * The hourly schedules, one for each incident of an integration: a schedule that belongs to an
 * incident that is over cannot be taken for that of a later one.
 */
export interface RetrySchedules {
  /** Exists when it resolves: first fires one retry interval from its creation, then every interval. */
  ensure(schedule: RetrySchedule): Promise<void>;
  /** Does not exist when it resolves. */
  remove(schedule: RetrySchedule): Promise<void>;
}

export interface RetrySchedule {
  readonly account: string;
  /** The integration's bare id. */
  readonly id: string;
  readonly incident: number;
}
