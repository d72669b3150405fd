import type { PlatformEvent } from '../../core/event/event.ts';
import { type Arrival, eventOf, isVerified } from './receiver.ts';

interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
}

/** The events that were sent and the POSTs that arrived, seen from both ends of the service. */
export class Tally {
  readonly #sent = new Map<string, PlatformEvent>();
  readonly #confirmed = new Set<string>();
  readonly #arrivals: Arrival[] = [];
  #waiters: Waiter[] = [];

  get sent(): number {
    return this.#sent.size;
  }

  get arrivals(): readonly Arrival[] {
    return this.#arrivals;
  }

  /** Sent and never confirmed by the endpoint. */
  get missing(): readonly PlatformEvent[] {
    return [...this.#sent.values()].filter(({ id }) => !this.#confirmed.has(id));
  }

  /** POSTs of deliveries that the endpoint had confirmed before. */
  get duplicates(): number {
    return this.#arrivals.filter(({ isRepeated }) => isRepeated).length;
  }

  get unverified(): number {
    return this.#arrivals.filter((arrival) => !isVerified(arrival)).length;
  }

  noteSent(event: PlatformEvent): void {
    this.#sent.set(event.id, event);
  }

  noteArrival(arrival: Arrival): void {
    this.#arrivals.push(arrival);
    const event = eventOf(arrival);
    if (event !== undefined && arrival.statusCode < 300) this.#confirmed.add(event);
    for (const { isMet, resolve } of this.#waiters) if (isMet()) resolve();
  }

  /** Resolves to true once the condition is met, and to false when the patience ends before. */
  async when(isMet: () => boolean, patienceMs: number): Promise<boolean> {
    if (isMet()) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { isMet, resolve };
    this.#waiters.push(waiter);
    const patience = setTimeout(resolve, patienceMs);
    await promise;
    clearTimeout(patience);
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    return isMet();
  }
}
