import type { buildApp } from 'fauxqs';
import type { SqsStore } from './fauxqs-internals.ts';

interface Entry {
  MessageGroupId?: unknown;
  MessageAttributes?: object;
}

/**
 * fauxqs forgets the `MessageGroupId` of a message in a standard queue. It does keep the object
 * with the message's attributes, so the group is remembered by that object until the message
 * is put into its queue.
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
