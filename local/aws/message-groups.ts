import type { buildApp } from 'fauxqs';
import type { SqsStore } from './fauxqs-internals.ts';

interface Entry {
  MessageGroupId?: unknown;
  MessageAttributes?: object;
}

/**
 * Makes fauxqs keep the `MessageGroupId` of messages in standard queues, which fauxqs drops. fauxqs
 * does keep the object with a message's attributes: a map from this object to the group has the
 * group until the message is put into its queue.
 */
export const rememberMessageGroups = (app: ReturnType<typeof buildApp>, store: SqsStore): void => {
  const groups = new WeakMap<object, string>();
  app.addHook('preHandler', async ({ body }) => {
    for (const entry of entriesOf(body)) {
      if (typeof entry.MessageGroupId !== 'string') continue;
      entry.MessageAttributes ??= {};
      if (typeof entry.MessageAttributes === 'object') {
        groups.set(entry.MessageAttributes, entry.MessageGroupId);
      }
    }
  });
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
};

const entriesOf = (body: unknown): Entry[] => {
  if (typeof body !== 'object' || body === null) return [];
  const entries = 'Entries' in body && Array.isArray(body.Entries) ? body.Entries : [body];
  return entries.filter((entry) => typeof entry === 'object' && entry !== null);
};
