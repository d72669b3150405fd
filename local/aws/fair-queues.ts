import { FairOrder } from './fair-order.ts';
import type { SqsMessage, SqsQueue, SqsStore } from './fauxqs-internals.ts';

type InFlightEntry = ReturnType<SqsQueue['inflightMessages']['get']> & object;

/**
 * Makes the standard queues of a store of fauxqs fair, as those of SQS are. A queue of fauxqs keeps
 * its waiting messages in an array, of which it uses `push`, `shift`, `length` and the iterator. The
 * fair order takes the place of this array.
 */
export const makeQueuesFair = (store: SqsStore): void => {
  const createQueue = store.createQueue.bind(store);
  store.createQueue = (...queueArguments) => {
    const queue = createQueue(...queueArguments);
    if (!queue.isFifo()) makeFair(queue);
    return queue;
  };
};

const makeFair = (queue: SqsQueue): void => {
  const order = new FairOrder();
  for (const message of queue.messages) order.push(message);
  // fauxqs sets another array where it purges the queue.
  Object.defineProperty(queue, 'messages', { get: () => order, set: () => order.clear() });
  queue.inflightMessages = new InFlight(order);
};

/** The messages in flight, by receipt handle. It keeps the order informed about them. */
class InFlight extends Map<string, InFlightEntry> {
  readonly #order: Pick<FairOrder, 'received' | 'left'>;

  constructor(order: Pick<FairOrder, 'received' | 'left'>) {
    super();
    this.#order = order;
  }

  override set(receiptHandle: string, entry: InFlightEntry): this {
    if (!this.has(receiptHandle)) this.#order.received(entry.message);
    return super.set(receiptHandle, entry);
  }

  override delete(receiptHandle: string): boolean {
    this.#leave(this.get(receiptHandle)?.message);
    return super.delete(receiptHandle);
  }

  override clear(): void {
    for (const { message } of this.values()) this.#leave(message);
    super.clear();
  }

  #leave(message: SqsMessage | undefined): void {
    if (message !== undefined) this.#order.left(message);
  }
}

interface Entry {
  MessageGroupId?: unknown;
  MessageAttributes?: object;
}

/**
 * Makes a store of fauxqs keep the `MessageGroupId` of messages in standard queues, which fauxqs
 * drops. fauxqs does keep the object with a message's attributes: a map from this object to the
 * group has the group until the message is put into its queue. Returns a function that must get the
 * input of each operation before fauxqs gets the input.
 */
export const keepMessageGroups = (store: SqsStore): ((input: unknown) => void) => {
  const groups = new WeakMap<object, string>();
  const createQueue = store.createQueue.bind(store);
  store.createQueue = (...queueArguments) => {
    const queue = createQueue(...queueArguments);
    const enqueue = queue.enqueue.bind(queue);
    queue.enqueue = (message) => {
      const group = groups.get(message.messageAttributes);
      if (group !== undefined) message.messageGroupId ??= group;
      enqueue(message);
    };
    return queue;
  };
  return (input) => {
    for (const entry of entriesOf(input)) {
      if (typeof entry.MessageGroupId !== 'string') continue;
      entry.MessageAttributes ??= {};
      if (typeof entry.MessageAttributes === 'object') {
        groups.set(entry.MessageAttributes, entry.MessageGroupId);
      }
    }
  };
};

const entriesOf = (input: unknown): Entry[] => {
  if (typeof input !== 'object' || input === null) return [];
  const entries = 'Entries' in input && Array.isArray(input.Entries) ? input.Entries : [input];
  return entries.filter((entry) => typeof entry === 'object' && entry !== null);
};
