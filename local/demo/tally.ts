import type { PlatformEvent } from '../../core/event/event.ts';
import { Arrivals } from '../receiver/arrivals.ts';
import { eventOf, isVerified, type ReceivedPost } from '../receiver/received-post.ts';

/** Counts the events that were sent to the service and the POSTs that the service sent. */
export class Tally {
  readonly #sent = new Map<string, PlatformEvent>();
  readonly #confirmed = new Set<string>();
  readonly #posts = new Arrivals<ReceivedPost>();

  get sent(): number {
    return this.#sent.size;
  }

  get posts(): readonly ReceivedPost[] {
    return this.#posts.all;
  }

  /** Events that were sent and that the endpoint has not confirmed. */
  get missing(): readonly PlatformEvent[] {
    return [...this.#sent.values()].filter(({ id }) => !this.#confirmed.has(id));
  }

  /** The number of POSTs of deliveries that the endpoint had already confirmed. */
  get duplicates(): number {
    return this.posts.filter(({ isRepeated }) => isRepeated).length;
  }

  get unverified(): number {
    return this.posts.filter((post) => !isVerified(post)).length;
  }

  noteSent(event: PlatformEvent): void {
    this.#sent.set(event.id, event);
  }

  notePost(post: ReceivedPost): void {
    const event = eventOf(post);
    if (event !== undefined && post.statusCode < 300) this.#confirmed.add(event);
    this.#posts.add(post);
  }

  /** Resolves to true as soon as the condition is met, and to false after `patienceMs`. */
  when(isMet: () => boolean, patienceMs: number): Promise<boolean> {
    return this.#posts.until(isMet, AbortSignal.timeout(patienceMs));
  }
}
