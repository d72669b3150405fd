import { type Endpoint, now } from './receiver.ts';
import { type BenchedService, eventNumbered, pause } from './service.ts';

/**
 * Sends `message.received` events one by one at a steady rate; resolves to the time of each from
 * SendMessage to its POST, in milliseconds.
 */
export const latenciesOfStream = async (
  { run }: BenchedService,
  endpoint: Endpoint,
  { first, total, perSecond }: { first: number; total: number; perSecond: number },
): Promise<number[]> => {
  const { account } = run.endpoints;
  const before = endpoint.arrivals.size;
  const sentAt = new Map<string, number>();
  const sends: Promise<unknown>[] = [];
  const startedAt = now();
  for (let index = 0; index < total; index += 1) {
    const dueMs = startedAt + (index * 1_000) / perSecond - now();
    if (dueMs > 0) await pause(dueMs);
    const event = eventNumbered(first + index, { account });
    sentAt.set(event.id, now());
    sends.push(run.events.send(event));
  }
  await Promise.all(sends);
  await endpoint.arrived(before + total);
  return [...sentAt].map(([event, at]) => (endpoint.arrivals.get(event) ?? Number.NaN) - at);
};
