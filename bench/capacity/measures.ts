import type { Lane } from '../../core/delivery/lanes.ts';
import type { Kind, Population } from './customers.ts';
import type { VirtualClock } from './virtual-clock.ts';

const MINUTE_MS = 60_000;

type Waiting = Exclude<Kind, 'flood'>;

/** Of events sent in some minutes: how long until their first attempt began. */
export interface Waits {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const waitsIn = (waitsMs: readonly number[]): Waits => {
  const sorted = Float64Array.from(waitsMs).sort();
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
};

/** Sees every event sent, and every attempt begun and ended. */
export class Measures {
  readonly #clock: VirtualClock;
  readonly #population: Population;
  readonly #startedAtMs: number;
  /** Of every event, by its number. */
  readonly #sentAtMs: number[] = [];
  /** Events without an attempt so far. A flood's are too many. */
  readonly #unattempted = new Map<number, Waiting>();
  /** By the minute in which an event was sent. */
  readonly #waitsMs: Readonly<Record<Waiting, number[][]>> = { healthy: [], others: [] };
  readonly #atOnce = { fast: 0, slow: 0 };
  readonly mostAtOnce = { fast: 0, slow: 0 };
  /** Deliveries of the flood, by minute. */
  readonly #floodDelivered: number[] = [];

  constructor(clock: VirtualClock, population: Population) {
    this.#clock = clock;
    this.#population = population;
    this.#startedAtMs = clock.nowMs;
  }

  /** Returns the number of the event. */
  sent(integration: number): number {
    const event = this.#sentAtMs.push(this.#clock.nowMs) - 1;
    const kind = this.#population.kindOf(integration);
    if (kind !== 'flood') this.#unattempted.set(event, kind);
    return event;
  }

  begun(event: number, lane: Lane): void {
    this.#atOnce[lane] += 1;
    this.mostAtOnce[lane] = Math.max(this.mostAtOnce[lane], this.#atOnce[lane]);
    this.#noteWait(event);
  }

  ended(integration: number, { lane, isDelivered }: { lane: Lane; isDelivered: boolean }): void {
    this.#atOnce[lane] -= 1;
    if (!isDelivered || this.#population.kindOf(integration) !== 'flood') return;
    const minute = this.#minuteOf(this.#clock.nowMs);
    this.#floodDelivered[minute] = (this.#floodDelivered[minute] ?? 0) + 1;
  }

  /** An event without an attempt has waited until now. */
  end(): void {
    for (const event of this.#unattempted.keys()) this.#noteWait(event);
  }

  waitsFrom(minute: number, kind: Waiting): Waits {
    return waitsIn(this.#waitsMs[kind].slice(minute).flat());
  }

  /** The highest p95 of a minute, from a minute on. */
  worstMinuteFrom(minute: number, kind: Waiting): number {
    return Math.max(...this.#waitsMs[kind].slice(minute).map((waitsMs) => waitsIn(waitsMs).p95Ms));
  }

  /** Events of the flood that were delivered in a second, from a minute on. */
  floodRateFrom(minute: number): number {
    const counted = this.#floodDelivered.slice(minute);
    const minutes = this.#minuteOf(this.#clock.nowMs) - minute;
    return counted.reduce((sum, count) => sum + count, 0) / (minutes * 60);
  }

  #noteWait(event: number): void {
    const kind = this.#unattempted.get(event);
    if (kind === undefined) return;
    this.#unattempted.delete(event);
    const sentAtMs = this.#sentAtMs[event] ?? Number.NaN;
    const minute = this.#minuteOf(sentAtMs);
    const waitsMs = this.#waitsMs[kind][minute] ?? [];
    waitsMs.push(this.#clock.nowMs - sentAtMs);
    this.#waitsMs[kind][minute] = waitsMs;
  }

  #minuteOf(atMs: number): number {
    return Math.floor((atMs - this.#startedAtMs) / MINUTE_MS);
  }
}
