/**
 * The memory of the embedded run while events are delivered as fast as it takes them: resident
 * memory of the run's process with all its threads.
 *
 *     npm run bench:memory [-- <events> <events a line>]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { now } from './receiver.ts';
import { eventNumbered, startBenchedService } from './service.ts';

const [total = 100_000, perLine = 10_000] = process.argv.slice(2).map(Number);
/** As many as may wait on a queue. */
const AT_ONCE = 1_000;
const SAMPLE_MS = 100;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`.padStart(8);

const service = await startBenchedService();
const { endpoint } = await service.webhookFor('message.received');
const { memory, endpoints } = service.run;
const { account } = endpoints;

const deliver = async (first: number, count: number): Promise<void> => {
  const events = Array.from({ length: count }, (_, index) =>
    eventNumbered(first + index, { account }),
  );
  await service.publish(events);
  await endpoint.untilConfirmed(count);
  // What the receiver remembers is not the service's.
  endpoint.confirmed.clear();
};

let latest = await memory();
console.log(`at the start: ${megabytes(latest.rss)}`);
let most = 0;
let isDone = false;
const sampling = (async () => {
  for (; !isDone; await delay(SAMPLE_MS)) {
    latest = await memory();
    most = Math.max(most, latest.rss);
  }
})();
for (let delivered = 0; delivered < total; ) {
  const until = Math.min(delivered + perLine, total);
  const startedAt = now();
  const before = delivered;
  most = 0;
  for (; delivered < until; delivered = Math.min(delivered + AT_ONCE, until)) {
    await deliver(delivered, Math.min(AT_ONCE, until - delivered));
  }
  const perSecond = ((until - before) * 1_000) / (now() - startedAt);
  const { rss, heapUsed } = latest;
  console.log(
    `${String(until).padStart(7)} events: ${megabytes(rss)}, at most ${megabytes(most)}, ` +
      `heap of the main thread ${megabytes(heapUsed)}; ${perSecond.toFixed(0)} events/s`,
  );
}
isDone = true;
await sampling;
await service.stop();
