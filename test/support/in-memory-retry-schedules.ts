import type { RetrySchedule, RetrySchedules } from '../../core/delivery/retry-schedules.ts';

/** Fires nothing. */
export class InMemoryRetrySchedules implements RetrySchedules {
  readonly #schedules = new Map<string, RetrySchedule>();

  constructor(...schedules: RetrySchedule[]) {
    for (const schedule of schedules) this.#schedules.set(nameOf(schedule), only(schedule));
  }

  get all(): readonly RetrySchedule[] {
    return [...this.#schedules.values()];
  }

  async ensure(schedule: RetrySchedule): Promise<void> {
    this.#schedules.set(nameOf(schedule), only(schedule));
  }

  async remove(schedule: RetrySchedule): Promise<void> {
    this.#schedules.delete(nameOf(schedule));
  }
}

const nameOf = ({ id, incident }: RetrySchedule): string => `${id}-${incident}`;

/** Callers may hand over a whole integration. */
const only = ({ account, id, incident }: RetrySchedule): RetrySchedule => ({
  account,
  id,
  incident,
});
