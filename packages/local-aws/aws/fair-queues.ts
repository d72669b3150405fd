import type { SqsMessage, SqsQueue, SqsStore } from './fauxqs-internals.ts';

/** Key of a message's group in the object of its attributes. */
const GROUP = Symbol('message group');

interface Entry {
  MessageGroupId?: string;
  MessageAttributes?: Record<symbol, string>;
}

/** fauxqs drops the group of a message in a standard queue, but keeps its attributes' object. */
export const keepMessageGroups = (input: unknown): void => {
  const { Entries = [input] }: { Entries?: unknown } = Object(input);
  for (const entry of [Entries].flat() as (Entry | null)[]) {
    if (typeof entry?.MessageGroupId !== 'string') continue;
    entry.MessageAttributes = { ...entry.MessageAttributes, [GROUP]: entry.MessageGroupId };
  }
};

/** Makes standard queues fair, by replacing the array of waiting messages in fauxqs' queues. */
export const makeQueuesFair = (store: SqsStore): void => {
  const createQueue = store.createQueue.bind(store);
  store.createQueue = (...queueArguments) => {
    const queue = createQueue(...queueArguments);
    if (queue.isFifo()) return queue;
    let messages = new FairMessages(queue);
    // fauxqs sets another array where it purges the queue.
    Object.defineProperty(queue, 'messages', {
      get: () => messages,
      set: () => {
        messages = new FairMessages(queue);
      },
    });
    return queue;
  };
};

/** Gives the oldest message of the group with the fewest in flight; without group, each is one. */
class FairMessages implements Iterable<SqsMessage> {
  readonly #queue: SqsQueue;
  /** By group, the oldest first. The group that was served last is the last. */
  readonly #groups = new Map<string, SqsMessage[]>();
  length = 0;

  constructor(queue: SqsQueue) {
    this.#queue = queue;
  }

  push(message: SqsMessage): void {
    message.messageGroupId ??= (message.messageAttributes as Entry['MessageAttributes'])?.[GROUP];
    const name = nameOf(message);
    const group = this.#groups.get(name);
    if (group) group.push(message);
    else this.#groups.set(name, [message]);
    this.length += 1;
  }

  shift(): SqsMessage | undefined {
    const name = this.#nextGroup();
    const group = this.#groups.get(name) ?? [];
    const message = group.shift();
    if (message === undefined) return undefined;
    this.#groups.delete(name);
    if (group.length > 0) this.#groups.set(name, group);
    this.length -= 1;
    return message;
  }

  [Symbol.iterator](): Iterator<SqsMessage> {
    return [...this.#groups.values()].flat().values();
  }

  #nextGroup(): string {
    const inFlight = new Map<string, number>();
    for (const { message } of this.#queue.inflightMessages.values()) {
      const name = nameOf(message);
      inFlight.set(name, (inFlight.get(name) ?? 0) + 1);
    }
    let next = '';
    let fewest = Number.POSITIVE_INFINITY;
    for (const name of this.#groups.keys()) {
      const count = inFlight.get(name) ?? 0;
      if (count < fewest) [next, fewest] = [name, count];
      if (count === 0) break;
    }
    return next;
  }
}

const nameOf = ({ messageGroupId, messageId }: SqsMessage): string =>
  messageGroupId === undefined ? `message ${messageId}` : `group ${messageGroupId}`;
