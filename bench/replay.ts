/**
 * The rate of a replay. An endpoint answers 500, so its integration fails and all its events become
 * pending. Then the endpoint works again. Measures the time from the success of the hourly retry to
 * the last POST of the replay.
 *
 *     npm run bench:replay [-- <pending events>]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { now } from './receiver.ts';
import { eventNumbered, startBenchedService } from './service.ts';

const [total = 10_000] = process.argv.slice(2).map(Number);
const HOUR_SECONDS = 5;

const { run, publish, webhookFor, deliveriesInFlight, stop } =
  await startBenchedService(HOUR_SECONDS);
const { endpoint, status } = await webhookFor('message.received');
const { account } = run.endpoints;

endpoint.statusCode = 500;
await publish([eventNumbered(0, { account })]);
while ((await status()) !== 'failed') await delay(50);

const startedAt = now();
await publish(
  Array.from({ length: total - 1 }, (_, index) => eventNumbered(index + 1, { account })),
);
// All events are pending when no message of the deliveries queue is in flight for a second.
for (let quiet = 0; quiet < 20; await delay(50)) {
  quiet = (await deliveriesInFlight()) === 0 ? quiet + 1 : 0;
}
const storedS = (now() - startedAt) / 1_000;
const hourlyPosts = endpoint.posts;

endpoint.statusCode = 204;
await endpoint.untilConfirmed(1);
const troubleEndedAt = now();
await endpoint.untilConfirmed(total);
const seconds = (now() - troubleEndedAt) / 1_000;

const duplicates = endpoint.posts - hourlyPosts - total;
console.log(
  `${total} events pending after ${storedS.toFixed(1)} s, ${hourlyPosts} POSTs while failed`,
);
console.log(
  `replayed in ${seconds.toFixed(1)} s: ${Math.round(total / seconds)} events/s, lost 0, duplicates ${duplicates}`,
);
await stop();
