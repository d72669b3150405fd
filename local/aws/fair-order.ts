import type { SqsMessage } from './fauxqs-internals.ts';

/** What AWS documents of fair queues: a group above either share is noisy. */
const NOISY_SHARE = 0.1;
const LEAST_IN_FLIGHT = 30;

/** AWS does not say what is recent. Less than this of a group's own is no noise in a run at rest. */
const RECENT_MS = 30_000;
const LEAST_PROCESSING_MS = 1_000;

/** A sum of which what was added longer ago counts ever less. */
class RecentSum {
  #sum = 0;
  #atMs = 0;

  add(amount: number, nowMs: number): void {
    this.#sum = this.at(nowMs) + amount;
    this.#atMs = nowMs;
  }

  at(nowMs: number): number {
    return this.#sum * Math.exp((this.#atMs - nowMs) / RECENT_MS);
  }
}

interface Waiting {
  readonly message: SqsMessage;
  /** Grows with each message that begins to wait. */
  readonly place: number;
}

/** Messages that have left and are still in memory. */
const MOST_LEFT = 1_000;

/**
 * What waits, the longest first. A large array moves all its members for each that leaves at the
 * front: 0.15 ms of CPU with 100,000 members, and nothing with 10,000.
 */
class WaitingLine implements Iterable<Waiting> {
  #members: Waiting[] = [];
  #left = 0;

  get length(): number {
    return this.#members.length - this.#left;
  }

  get first(): Waiting | undefined {
    return this.#members[this.#left];
  }

  push(member: Waiting): void {
    this.#members.push(member);
  }

  shift(): Waiting | undefined {
    const { first } = this;
    if (first === undefined) return undefined;
    this.#left += 1;
    if (this.#left === MOST_LEFT || this.length === 0) {
      this.#members = this.#members.slice(this.#left);
      this.#left = 0;
    }
    return first;
  }

  clear(): void {
    this.#members = [];
    this.#left = 0;
  }

  [Symbol.iterator](): Iterator<Waiting> {
    return this.#members.values().drop(this.#left);
  }
}

interface Group {
  /** In the order of their places. */
  readonly waiting: WaitingLine;
  readonly processingMs: RecentSum;
  inFlight: number;
  /** Until nothing of the group waits. */
  isNoisy: boolean;
}

/**
 * The messages of a standard queue that wait to be received, in the order in which SQS hands them
 * out: the oldest first, but messages of noisy groups after all others, and among these the messages
 * of the group that has the fewest in flight. A group is noisy that has more than a tenth of what is
 * in flight, and 30 of its own, or more than a tenth of the recent processing time. A message without
 * a group is a group of its own.
 *
 * Source: Amazon SQS Developer Guide, "How Amazon SQS fair queues work".
 */
export class FairOrder implements Iterable<SqsMessage> {
  readonly #groups = new Map<string, Group>();
  /** The groups of which something waits. */
  readonly #waiting = new Set<Group>();
  readonly #receivedAtMs = new WeakMap<SqsMessage, number>();
  readonly #processingMs = new RecentSum();
  readonly #now: () => number;
  #inFlight = 0;
  #places = 0;
  #length = 0;

  /** @param now in milliseconds, from any start */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How many messages wait. */
  get length(): number {
    return this.#length;
  }

  push(message: SqsMessage): void {
    const group = this.#groupOf(message);
    group.waiting.push({ message, place: this.#places });
    this.#places += 1;
    this.#length += 1;
    this.#waiting.add(group);
  }

  /** Takes the message that is handed out next. */
  shift(): SqsMessage | undefined {
    const group = this.#next();
    const next = group?.waiting.shift();
    if (group === undefined || next === undefined) return undefined;
    this.#length -= 1;
    if (group.waiting.length === 0) this.#nothingWaitsOf(group);
    return next.message;
  }

  /** Drops all that waits. */
  clear(): void {
    for (const group of this.#waiting) {
      group.waiting.clear();
      this.#nothingWaitsOf(group);
    }
    this.#length = 0;
  }

  /** By how long they wait, the longest first. */
  [Symbol.iterator](): Iterator<SqsMessage> {
    return [...this.#waiting]
      .flatMap(({ waiting }) => [...waiting])
      .toSorted((one, other) => one.place - other.place)
      .map(({ message }) => message)
      .values();
  }

  /** A message was received. */
  received(message: SqsMessage): void {
    this.#groupOf(message).inFlight += 1;
    this.#inFlight += 1;
    this.#receivedAtMs.set(message, this.#now());
  }

  /** A message in flight was worked off. */
  processed(message: SqsMessage): void {
    const nowMs = this.#now();
    const tookMs = nowMs - (this.#receivedAtMs.get(message) ?? nowMs);
    this.#groupOf(message).processingMs.add(tookMs, nowMs);
    this.#processingMs.add(tookMs, nowMs);
  }

  /** A message is no longer in flight. */
  left(message: SqsMessage): void {
    const group = this.#groupOf(message);
    group.inFlight -= 1;
    this.#inFlight -= 1;
    const isAlone = message.messageGroupId === undefined;
    if (isAlone && group.waiting.length === 0) this.#groups.delete(nameOf(message));
  }

  #groupOf(message: SqsMessage): Group {
    const name = nameOf(message);
    const known = this.#groups.get(name);
    if (known) return known;
    const group = {
      waiting: new WaitingLine(),
      processingMs: new RecentSum(),
      inFlight: 0,
      isNoisy: false,
    };
    this.#groups.set(name, group);
    return group;
  }

  #nothingWaitsOf(group: Group): void {
    group.isNoisy = false;
    this.#waiting.delete(group);
  }

  #next(): Group | undefined {
    const nowMs = this.#now();
    let next: Group | undefined;
    for (const group of this.#waiting) {
      group.isNoisy ||= this.#isNoisyAt(group, nowMs);
      if (next === undefined || isBefore(group, next)) next = group;
    }
    return next;
  }

  #isNoisyAt({ inFlight, processingMs }: Group, nowMs: number): boolean {
    const ownMs = processingMs.at(nowMs);
    return (
      (inFlight >= LEAST_IN_FLIGHT && inFlight > NOISY_SHARE * this.#inFlight) ||
      (ownMs >= LEAST_PROCESSING_MS && ownMs > NOISY_SHARE * this.#processingMs.at(nowMs))
    );
  }
}

const nameOf = ({ messageGroupId, messageId }: SqsMessage): string =>
  messageGroupId === undefined ? `message ${messageId}` : `group ${messageGroupId}`;

const isBefore = (one: Group, other: Group): boolean => {
  if (one.isNoisy !== other.isNoisy) return other.isNoisy;
  if (one.isNoisy && one.inFlight !== other.inFlight) return one.inFlight < other.inFlight;
  return placeOf(one) < placeOf(other);
};

const placeOf = ({ waiting }: Group): number => waiting.first?.place ?? Number.POSITIVE_INFINITY;
