import type { Population } from './customers.ts';
import type { VirtualClock } from './virtual-clock.ts';

const MINUTE_MS = 60_000;

const p95Of = (waitsMs: readonly number[]): number => {
  const sorted = Float64Array.from(waitsMs).sort();
  return sorted[Math.floor(0.95 * sorted.length)] ?? Number.NaN;
};

/** How long events of healthy customers wait for their first attempt, and what a flood gets. */
export class Measures {
  readonly #clock: VirtualClock;
  readonly #population: Population;
  #events = 0;
  /** When events of healthy customers were sent that have no attempt so far, by their number. */
  readonly #unattempted = new Map<number, number>();
  /** By the minute in which an event was sent. */
  readonly #waitsMs: number[][] = [];
  /** Deliveries of the flood. */
  #delivered = 0;

  constructor(clock: VirtualClock, population: Population) {
    this.#clock = clock;
    this.#population = population;
  }

  /** Returns the number of the event. */
  sent(integration: number): number {
    this.#events += 1;
    const isHealthy = this.#population.kindOf(integration) === 'healthy';
    if (isHealthy) this.#unattempted.set(this.#events, this.#clock.nowMs);
    return this.#events;
  }

  begun(event: number): void {
    const sentAtMs = this.#unattempted.get(event);
    if (sentAtMs === undefined) return;
    this.#unattempted.delete(event);
    const minute = Math.floor((sentAtMs - this.#clock.startedAtMs) / MINUTE_MS);
    const waitsMs = this.#waitsMs[minute] ?? [];
    waitsMs.push(this.#clock.nowMs - sentAtMs);
    this.#waitsMs[minute] = waitsMs;
  }

  delivered(integration: number): void {
    if (this.#population.kindOf(integration) === 'flood') this.#delivered += 1;
  }

  /** Of a run that is over: an event without an attempt has waited until now. */
  after({ warmUpMinutes }: { warmUpMinutes: number }) {
    for (const event of this.#unattempted.keys()) this.begun(event);
    const seconds = (this.#clock.nowMs - this.#clock.startedAtMs) / 1_000 - 60 * warmUpMinutes;
    return {
      p95Ms: p95Of(this.#waitsMs.slice(warmUpMinutes).flat()),
      /** The highest of a minute; the warm-up counts, but for its first minute. */
      worstMinuteMs: Math.max(...this.#waitsMs.slice(1).map(p95Of)),
      floodRate: this.#delivered / seconds,
    };
  }
}
