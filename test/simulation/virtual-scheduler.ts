import type { RetrySchedules } from '../../core/delivery/trouble/begin-trouble.ts';
import type { IntegrationEpoch } from '../../core/integration/integration.ts';
import type { Machine, Process, Source } from './machine.ts';

/** A message of the retry queue. */
export interface RetryMessage {
  readonly id: string;
  readonly schedule: IntegrationEpoch;
  /** How often it was handed out. */
  receives: number;
  /** When its function wants it once more. */
  onceMoreAtMs?: number | undefined;
}

interface Invocation {
  readonly message: RetryMessage;
  readonly atMs: number;
  readonly tries: number;
}

/** Is told of every message of the retry queue. */
export interface RetryJudge {
  sent(message: RetryMessage): void;
  /** A function receives it, for the first time or again. */
  received(message: RetryMessage): void;
  ended(message: RetryMessage, how: 'returned' | 'given up'): void;
}

const MINUTE_MS = 60_000;
const FIRST_DELAY_MS = 5_000;
const VISIBILITY_MS = 6 * MINUTE_MS;

/**
 * The hourly schedules, the retry queue that they send to and its function. By chance, a schedule
 * fires late or twice. After a fault a message is handed out again soon, and when the process died,
 * after the visibility timeout.
 */
export class VirtualScheduler implements Source, RetrySchedules {
  readonly #machine: Machine;
  readonly #options: {
    readonly intervalMs: number;
    /** A schedule fires up to so late, anew each time. */
    readonly flexibleMs: number;
    /** How often the retry queue hands a message out, at most. */
    readonly receives: number;
    readonly invoke: (message: RetryMessage, ended: Process['ended']) => void;
    readonly judge: RetryJudge;
  };
  readonly #schedules = new Map<string, { schedule: IntegrationEpoch; nextAtMs: number }>();
  #invocations: Invocation[] = [];
  #messages = 0;

  constructor(
    machine: Machine,
    options: {
      intervalMs: number;
      flexibleMs: number;
      receives: number;
      invoke: (message: RetryMessage, ended: Process['ended']) => void;
      judge: RetryJudge;
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

  async move(schedule: IntegrationEpoch, next: Date): Promise<void> {
    const entry = this.#schedules.get(nameOf(schedule));
    if (entry) entry.nextAtMs = next.getTime();
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
    const flexibleMs = Math.floor(random.next() * this.#options.flexibleMs);
    const atMs = nowMs + flexibleMs + (isLate ? random.below(70) * MINUTE_MS : 0);
    this.#send(schedule, atMs);
    if (!random.happens(chaos.misfire)) return;
    journal.saw('schedule fires twice');
    this.#send(schedule, nowMs + random.below(MINUTE_MS));
  }

  #send(schedule: IntegrationEpoch, atMs: number): void {
    const { random, chaos, journal } = this.#machine;
    this.#messages += 1;
    const message: RetryMessage = { id: `retry ${this.#messages}`, schedule, receives: 0 };
    this.#options.judge.sent(message);
    this.#invocations.push({ message, atMs, tries: 1 });
    if (!random.happens(chaos.duplicate)) return;
    journal.saw('retry handed out twice');
    this.#invocations.push({
      message,
      atMs: atMs + random.below(MINUTE_MS),
      tries: this.#options.receives,
    });
  }

  #invoke({ message, tries }: Invocation): void {
    const { judge, invoke, receives } = this.#options;
    message.receives += 1;
    judge.received(message);
    invoke(message, (how) => {
      const { onceMoreAtMs } = message;
      if (how === 'returned' && onceMoreAtMs !== undefined) {
        this.#invocations.push({ message, atMs: onceMoreAtMs, tries: tries + 1 });
        return;
      }
      if (how === 'returned') return judge.ended(message, 'returned');
      if (tries === receives) {
        this.#machine.journal.saw('retry given up');
        return judge.ended(message, 'given up');
      }
      const faultDelayMs = Math.min(MINUTE_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
      const atMs = this.#machine.nowMs + (how === 'died' ? VISIBILITY_MS : faultDelayMs);
      this.#invocations.push({ message, atMs, tries: tries + 1 });
    });
  }
}

const nameOf = ({ id, epoch }: IntegrationEpoch): string => `${id}-${epoch}`;
