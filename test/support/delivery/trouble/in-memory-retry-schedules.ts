import type { RetrySchedules } from '../../../../core/delivery/trouble/begin-trouble.ts';
import type { IntegrationEpoch } from '../../../../core/integration/integration.ts';

/** Fires nothing. */
export class InMemoryRetrySchedules implements RetrySchedules {
  readonly #schedules = new Map<string, IntegrationEpoch>();
  /** The next firings of the schedules that were moved, by name. */
  readonly moved = new Map<string, Date>();

  constructor(...schedules: IntegrationEpoch[]) {
    for (const schedule of schedules) this.#schedules.set(nameOf(schedule), only(schedule));
  }

  get all(): readonly IntegrationEpoch[] {
    return [...this.#schedules.values()];
  }

  async ensure(schedule: IntegrationEpoch): Promise<void> {
    await this.make(schedule);
  }

  async make(schedule: IntegrationEpoch): Promise<boolean> {
    const isNew = !this.#schedules.has(nameOf(schedule));
    this.#schedules.set(nameOf(schedule), only(schedule));
    return isNew;
  }

  async exists(schedule: IntegrationEpoch): Promise<boolean> {
    return this.#schedules.has(nameOf(schedule));
  }

  async move(schedule: IntegrationEpoch, next: Date): Promise<void> {
    if (this.#schedules.has(nameOf(schedule))) this.moved.set(nameOf(schedule), next);
  }

  async remove(schedule: IntegrationEpoch): Promise<void> {
    this.#schedules.delete(nameOf(schedule));
  }
}

const nameOf = ({ id, epoch }: IntegrationEpoch): string => `${id}-${epoch}`;

/** Callers may hand over a whole integration. */
const only = ({ account, id, epoch }: IntegrationEpoch): IntegrationEpoch => ({
  account,
  id,
  epoch,
});
