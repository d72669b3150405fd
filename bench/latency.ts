/**
 * The time from SendMessage to the POST at the receiver, in the embedded run, at a steady rate, and the
 * CPU time of the run for each event. The events are sent one by one.
 *
 *     npm run bench -- latency [<events a second> <seconds>]
 */

import { setTimeout as delay } from 'node:timers/promises';
import { eventNumbered } from './events.ts';
import { now } from './receiver.ts';
import { quantile, startBenchedService } from './service.ts';

const [perSecond = 50, seconds = 20] = process.argv.slice(2).map(Number);
/** Enough events to compile the code. */
const WARM_UP = { total: 400, perSecond: 50 };

const service = await startBenchedService();
const { endpoint } = await service.webhookFor('message.received');
const { account } = service.run.endpoints;

/** The time of each event of a stream from SendMessage to the POST, in milliseconds. */
const latenciesOf = async (stream: typeof WARM_UP): Promise<number[]> => {
  const before = endpoint.confirmed.size;
  const sentAt = new Map<string, number>();
  const sends: Promise<unknown>[] = [];
  const startedAt = now();
  for (let index = 0; index < stream.total; index += 1) {
    const dueMs = startedAt + (index * 1_000) / stream.perSecond - now();
    if (dueMs > 0) await delay(dueMs);
    const event = eventNumbered(before + index, { account });
    sentAt.set(event.id, now());
    sends.push(service.send(event));
  }
  await Promise.all(sends);
  await endpoint.untilConfirmed(before + stream.total);
  return [...sentAt].map(([event, at]) => (endpoint.confirmed.get(event) ?? Number.NaN) - at);
};

await latenciesOf(WARM_UP);
const total = perSecond * seconds;
const cpuBefore = await service.cpuSeconds();
const latenciesMs = await latenciesOf({ total, perSecond });
const cpuMs = (1_000 * ((await service.cpuSeconds()) - cpuBefore)) / total;
const [median, p95, p99] = [0.5, 0.95, 0.99].map((share) =>
  quantile(latenciesMs, share).toFixed(1),
);
console.log(`SendMessage to POST, ${total} events at ${perSecond}/s, all delivered:`);
console.log(
  `median ${median} ms, p95 ${p95} ms, p99 ${p99} ms, ${cpuMs.toFixed(1)} ms of CPU time for each`,
);
await service.stop();
