import type { SqsStore } from './fauxqs-internals.ts';

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
