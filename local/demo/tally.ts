import type { PlatformEvent } from '../../core/event/event.ts';
import { eventOf, isVerified, type ReceivedPost } from './receiver.ts';

interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
}

/** Counts the events that went into the service and the POSTs that came out. */
export class Tally {
  readonly #sent = new Map<string, PlatformEvent>();
  readonly #confirmed = new Set<string>();
  readonly #posts: ReceivedPost[] = [];
  #waiters: Waiter[] = [];

  get sent(): number {
    return this.#sent.size;
  }

  get posts(): readonly ReceivedPost[] {
    return this.#posts;
  }

  /** Events that were sent and never confirmed by the endpoint. */
  get missing(): readonly PlatformEvent[] {
    return [...this.#sent.values()].filter(({ id }) => !this.#confirmed.has(id));
  }

  /** How many POSTs were of deliveries that the endpoint had already confirmed. */
  get duplicates(): number {
    return this.#posts.filter(({ isRepeated }) => isRepeated).length;
  }

  get unverified(): number {
    return this.#posts.filter((post) => !isVerified(post)).length;
  }

  noteSent(event: PlatformEvent): void {
    this.#sent.set(event.id, event);
  }

  notePost(post: ReceivedPost): void {
    this.#posts.push(post);
    const event = eventOf(post);
    if (event !== undefined && post.statusCode < 300) this.#confirmed.add(event);
    for (const { isMet, resolve } of this.#waiters) if (isMet()) resolve();
  }

  /** Resolves to true once the condition is met, and to false after `patienceMs` without. */
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
