import type { RetrySchedules } from '../../core/delivery/trouble/begin-trouble.ts';
import type { IntegrationEpoch } from '../../core/integration/integration.ts';
import type { Machine, Process, Source } from './machine.ts';

interface Invocation {
  readonly schedule: IntegrationEpoch;
  readonly messageId: string;
  readonly atMs: number;
  readonly tries: number;
}

type Invoke = (
  schedule: IntegrationEpoch,
  message: { messageId: string },
  ended: Process['ended'],
) => void;

/** The retry queue hands a message out again when its function failed; in AWS more often. */
const MAX_TRIES = 3;
const MINUTE_MS = 60_000;

/**
 * The hourly schedules, the retry queue that they send to and its function. By chance, a schedule
 * fires late or twice. A failed invocation is repeated, up to `MAX_TRIES` invocations.
 */
export class VirtualScheduler implements Source, RetrySchedules {
  readonly #machine: Machine;
  readonly #options: {
    readonly intervalMs: number;
    readonly invoke: Invoke;
  };
  readonly #schedules = new Map<string, { schedule: IntegrationEpoch; nextAtMs: number }>();
  #invocations: Invocation[] = [];
  #messages = 0;

  constructor(
    machine: Machine,
    options: {
      intervalMs: number;
      invoke: Invoke;
    },
  ) {
    this.#machine = machine;
    this.#options = options;
  }

  get all(): readonly IntegrationEpoch[] {
    return [...this.#schedules.values()].map(({ schedule }) => schedule);
  }

  has(schedule: IntegrationEpoch): boolean {
    return this.#schedules.has(nameOf(schedule));
  }

  /** When a schedule next fires; `Infinity` when there is none. */
  nextFiringAt(): number {
    return Math.min(...[...this.#schedules.values()].map(({ nextAtMs }) => nextAtMs));
  }

  async ensure({ account, id, epoch }: IntegrationEpoch): Promise<void> {
    const schedule = { account, id, epoch };
    if (this.has(schedule)) return;
    const nextAtMs = this.#machine.nowMs + this.#options.intervalMs;
    this.#schedules.set(nameOf(schedule), { schedule, nextAtMs });
  }

  async remove(schedule: IntegrationEpoch): Promise<void> {
    this.#schedules.delete(nameOf(schedule));
  }

  nextAt(): number {
    return Math.min(this.nextFiringAt(), ...this.#invocations.map(({ atMs }) => atMs));
  }

  happen(): void {
    const { nowMs } = this.#machine;
    for (const entry of this.#schedules.values()) {
      if (entry.nextAtMs > nowMs) continue;
      entry.nextAtMs += this.#options.intervalMs;
      this.#fire(entry.schedule);
    }
    const due = this.#invocations.filter(({ atMs }) => atMs <= nowMs);
    this.#invocations = this.#invocations.filter(({ atMs }) => atMs > nowMs);
    for (const invocation of due) this.#invoke(invocation);
  }

  #fire(schedule: IntegrationEpoch): void {
    const { random, chaos, journal, nowMs } = this.#machine;
    const isLate = random.happens(chaos.misfire);
    if (isLate) journal.saw('schedule fires late');
    const atMs = nowMs + (isLate ? random.below(70) * MINUTE_MS : 0);
    this.#invocations.push({ schedule, messageId: this.#newMessageId(), atMs, tries: 1 });
    if (!random.happens(chaos.misfire)) return;
    journal.saw('schedule fires twice');
    const againAtMs = nowMs + random.below(MINUTE_MS);
    const messageId = this.#newMessageId();
    this.#invocations.push({ schedule, messageId, atMs: againAtMs, tries: 1 });
  }

  #newMessageId(): string {
    this.#messages += 1;
    return `retry ${this.#messages}`;
  }

  #invoke({ schedule, messageId, tries }: Invocation): void {
    this.#options.invoke(schedule, { messageId }, (how) => {
      if (how === 'returned') return;
      if (tries === MAX_TRIES) this.#machine.journal.saw('retry given up');
      else {
        const atMs = this.#machine.nowMs + tries * MINUTE_MS;
        this.#invocations.push({ schedule, messageId, atMs, tries: tries + 1 });
      }
    });
  }
}

const nameOf = ({ id, epoch }: IntegrationEpoch): string => `${id}-${epoch}`;
