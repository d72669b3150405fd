import { setTimeout as delay } from 'node:timers/promises';
import { type Endpoint, now } from './receiver.ts';
import { type BenchedService, eventNumbered } from './service.ts';

/**
 * Sends `message.received` events one by one at a steady rate. Resolves to each event's time from
 * SendMessage to the POST, in milliseconds.
 */
export const latenciesOfStream = async (
  { run }: BenchedService,
  endpoint: Endpoint,
  { first, total, perSecond }: { first: number; total: number; perSecond: number },
): Promise<number[]> => {
  const { account } = run.endpoints;
  const before = endpoint.confirmed.size;
  const sentAt = new Map<string, number>();
  const sends: Promise<unknown>[] = [];
  const startedAt = now();
  for (let index = 0; index < total; index += 1) {
    const dueMs = startedAt + (index * 1_000) / perSecond - now();
    if (dueMs > 0) await delay(dueMs);
    const event = eventNumbered(first + index, { account });
    sentAt.set(event.id, now());
    sends.push(run.events.send(event));
  }
  await Promise.all(sends);
  await endpoint.untilConfirmed(before + total);
  return [...sentAt].map(([event, at]) => (endpoint.confirmed.get(event) ?? Number.NaN) - at);
};
