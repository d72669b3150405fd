import { FairOrder } from './fair-order.ts';
import type { SqsMessage, SqsQueue, SqsStore } from './fauxqs-internals.ts';

type InFlightEntry = ReturnType<SqsQueue['inflightMessages']['get']> & object;

/**
 * Makes the standard queues of a store of fauxqs fair, as those of SQS are: fauxqs hands out the
 * oldest messages first, whosever they are. A queue keeps what waits in an array, of which fauxqs
 * uses `push`, `shift`, `length` and the iterator: the fair order takes the place of this array.
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
  const deleteMessage = queue.deleteMessage.bind(queue);
  queue.deleteMessage = (receiptHandle) => {
    const entry = queue.inflightMessages.get(receiptHandle);
    if (entry) order.processed(entry.message);
    return deleteMessage(receiptHandle);
  };
};

/** Tells the order what is in flight. By receipt handle. */
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
