import type { EventSource } from '../../lib/stage-settings.ts';
import type { FairQueue, Message } from './queues.ts';
import type { Timer, VirtualClock } from './virtual-clock.ts';

const FIRST_CONCURRENCY = 5;
const GROWTH_A_MINUTE = 300;
const MINUTE_MS = 60_000;

/** From a message's becoming visible until a receive has it. */
const RECEIVE_MS = 5;

/**
 * The event source of a queue, as Lambda documents it: begins with five batches at once, and has
 * 300 more a minute while messages wait for a free one, up to the maximum. What is not used for a
 * minute is lost again. Without a window a receive takes what is there; with one, messages are
 * gathered until the batch is full or the first has waited for the window.
 */
export class SourcePoller<Content> {
  readonly #clock: VirtualClock;
  readonly #queue: FairQueue<Content>;
  readonly #options: EventSource;
  readonly #invoke: (batch: readonly Message<Content>[]) => Promise<void>;
  readonly #least: number;
  #concurrency: number;
  #busy = 0;
  #mostBusyLately = 0;
  #nextReceive: { timer: Timer; isGathering: boolean } | undefined;
  #isGrowing = false;

  constructor(
    clock: VirtualClock,
    queue: FairQueue<Content>,
    options: EventSource,
    invoke: (batch: readonly Message<Content>[]) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#queue = queue;
    this.#options = options;
    this.#invoke = invoke;
    this.#least = Math.min(FIRST_CONCURRENCY, options.maximumConcurrency);
    this.#concurrency = this.#least;
    queue.onVisible = () => this.#poll();
    clock.schedule(MINUTE_MS, () => this.#shrink());
  }

  #poll(): void {
    if (this.#busy >= this.#concurrency) {
      this.#growLater();
      return;
    }
    const { batchSize, batchingWindowSeconds = 0 } = this.#options;
    const isFull = this.#queue.visible >= batchSize;
    if (this.#nextReceive && !(isFull && this.#nextReceive.isGathering)) return;
    if (this.#nextReceive) this.#nextReceive.timer.fire = undefined;
    const isGathering = batchingWindowSeconds > 0 && !isFull;
    const delayMs = RECEIVE_MS + (isGathering ? batchingWindowSeconds * 1_000 : 0);
    const timer = this.#clock.schedule(delayMs, () => this.#receive());
    this.#nextReceive = { timer, isGathering };
  }

  #receive(): void {
    this.#nextReceive = undefined;
    const { batchSize, batchingWindowSeconds = 0 } = this.#options;
    const least = batchingWindowSeconds > 0 ? batchSize : 1;
    do {
      const batch = this.#busy < this.#concurrency ? this.#queue.receive(batchSize) : [];
      if (batch.length > 0) void this.#run(batch);
      // Too much is in flight. A message that comes back, or a batch that ends, polls again.
      else if (this.#busy < this.#concurrency) return;
    } while (this.#queue.visible >= least && this.#busy < this.#concurrency);
    if (this.#queue.visible > 0) this.#poll();
  }

  async #run(batch: readonly Message<Content>[]): Promise<void> {
    this.#busy += 1;
    this.#mostBusyLately = Math.max(this.#mostBusyLately, this.#busy);
    await this.#invoke(batch);
    this.#busy -= 1;
    if (this.#queue.visible > 0) this.#poll();
  }

  #growLater(): void {
    if (this.#isGrowing || this.#concurrency >= this.#options.maximumConcurrency) return;
    this.#isGrowing = true;
    this.#clock.schedule(MINUTE_MS / GROWTH_A_MINUTE, () => {
      this.#isGrowing = false;
      this.#concurrency += 1;
      if (this.#queue.visible > 0) this.#poll();
    });
  }

  #shrink(): void {
    const used = Math.min(this.#concurrency, this.#mostBusyLately);
    this.#concurrency = Math.max(this.#least, used);
    this.#mostBusyLately = this.#busy;
    this.#clock.schedule(MINUTE_MS, () => this.#shrink());
  }
}
