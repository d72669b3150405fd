import type { RetrySchedules } from '../../../core/delivery/trouble/begin-trouble.ts';
import type { IntegrationEpoch } from '../../../core/integration/integration.ts';
import type { Random } from '../random.ts';
import type { Timer, VirtualClock } from './virtual-clock.ts';

/** Scheduler fires a schedule at some minute of this window. */
const WINDOW_MS = 600_000;

/** The hourly schedules. */
export class HourlySchedules implements RetrySchedules {
  readonly #clock: VirtualClock;
  readonly #options: {
    readonly intervalMs: number;
    readonly random: Random;
    readonly fire: (schedule: IntegrationEpoch) => void;
  };
  readonly #timers = new Map<string, Timer>();

  constructor(
    clock: VirtualClock,
    options: { intervalMs: number; random: Random; fire: (schedule: IntegrationEpoch) => void },
  ) {
    this.#clock = clock;
    this.#options = options;
  }

  async ensure({ account, id, epoch }: IntegrationEpoch): Promise<void> {
    if (this.#timers.has(nameOf({ id, epoch }))) return;
    const { intervalMs, random } = this.#options;
    this.#fireAfter({ account, id, epoch }, intervalMs + random.below(WINDOW_MS));
  }

  async remove(schedule: IntegrationEpoch): Promise<void> {
    const timer = this.#timers.get(nameOf(schedule));
    if (timer) timer.fire = undefined;
    this.#timers.delete(nameOf(schedule));
  }

  #fireAfter(schedule: IntegrationEpoch, delayMs: number): void {
    const timer = this.#clock.schedule(delayMs, () => {
      this.#fireAfter(schedule, this.#options.intervalMs);
      this.#options.fire(schedule);
    });
    this.#timers.set(nameOf(schedule), timer);
  }
}

const nameOf = ({ id, epoch }: Pick<IntegrationEpoch, 'id' | 'epoch'>): string => `${id}-${epoch}`;
