import type { SqsMessage } from './fauxqs-internals.ts';

interface Waiting {
  readonly message: SqsMessage;
  /** Grows with each message that begins to wait. */
  readonly place: number;
}

interface Group {
  /** The oldest first. */
  readonly waiting: Waiting[];
  inFlight: number;
}

/**
 * The messages of a standard queue that wait to be received. The next message is the oldest of the
 * group that has the fewest in flight; a message without a group is a group of its own. So a group
 * with a backlog does not delay the messages of others, as in the fair queues of SQS, which put
 * groups last only if they have much in flight or take much time.
 *
 * Source: Amazon SQS Developer Guide, "How Amazon SQS fair queues work".
 */
export class FairOrder implements Iterable<SqsMessage> {
  /** By name: the groups that have messages, waiting or in flight. */
  readonly #groups = new Map<string, Group>();
  #places = 0;
  #length = 0;

  /** The number of messages that wait. */
  get length(): number {
    return this.#length;
  }

  push(message: SqsMessage): void {
    this.#groupOf(message).waiting.push({ message, place: this.#places });
    this.#places += 1;
    this.#length += 1;
  }

  /** Takes the next message. */
  shift(): SqsMessage | undefined {
    let next: Group | undefined;
    for (const group of this.#groups.values()) {
      if (group.waiting.length > 0 && (!next || isBefore(group, next))) next = group;
    }
    const message = next?.waiting.shift()?.message;
    if (next === undefined || message === undefined) return undefined;
    this.#length -= 1;
    this.#forgetIfEmpty(message, next);
    return message;
  }

  /** Drops all messages that wait. */
  clear(): void {
    for (const { waiting } of this.#groups.values()) waiting.length = 0;
    this.#length = 0;
  }

  /** The oldest first. */
  [Symbol.iterator](): Iterator<SqsMessage> {
    return [...this.#groups.values()]
      .flatMap(({ waiting }) => waiting)
      .toSorted((one, other) => one.place - other.place)
      .map(({ message }) => message)
      .values();
  }

  /** A message was received. */
  received(message: SqsMessage): void {
    this.#groupOf(message).inFlight += 1;
  }

  /** A message is no longer in flight. */
  left(message: SqsMessage): void {
    const group = this.#groupOf(message);
    group.inFlight -= 1;
    this.#forgetIfEmpty(message, group);
  }

  #groupOf(message: SqsMessage): Group {
    const name = nameOf(message);
    const group = this.#groups.get(name) ?? { waiting: [], inFlight: 0 };
    this.#groups.set(name, group);
    return group;
  }

  #forgetIfEmpty(message: SqsMessage, { waiting, inFlight }: Group): void {
    if (waiting.length === 0 && inFlight === 0) this.#groups.delete(nameOf(message));
  }
}

const nameOf = ({ messageGroupId, messageId }: SqsMessage): string =>
  messageGroupId === undefined ? `message ${messageId}` : `group ${messageGroupId}`;

const isBefore = (one: Group, other: Group): boolean =>
  one.inFlight === other.inFlight ? placeOf(one) < placeOf(other) : one.inFlight < other.inFlight;

const placeOf = ({ waiting }: Group): number => waiting[0]?.place ?? Number.POSITIVE_INFINITY;
