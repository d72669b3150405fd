import type { Journal } from './journal.ts';

const HOUR_MS = 3_600_000;

/**
 * How many POSTs of a delivery an hour can have without a caller: eight of a backoff that begins
 * with 15 seconds, one of the hourly replay, and two of hourly retries, whose hours are not these.
 */
const MOST_AN_HOUR = 11;

/**
 * Checks, while nothing goes wrong but endpoints, that no event is attempted more often than it
 * may.
 */
export class HourlyPosts {
  readonly #journal: Journal;
  readonly #postsMs = new Map<string, number[]>();
  #calls = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** A caller changed something, which may send an event that waits or backs off once more. */
  called(): void {
    this.#calls += 1;
  }

  posted(id: string, atMs: number): void {
    const isRecent = (otherMs: number) => otherMs > atMs - HOUR_MS;
    const posts = [...(this.#postsMs.get(id) ?? []).filter(isRecent), atMs];
    this.#postsMs.set(id, posts);
    // What a caller has sent again backs off beside the delivery's other messages.
    if (posts.length > MOST_AN_HOUR * (1 + this.#calls)) {
      this.#journal.violated('A delivery is attempted more often than its rules allow.');
    }
  }
}
