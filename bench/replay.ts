/**
 * The rate of a replay. An endpoint answers 500, so its integration fails and all its events become
 * pending. Then the endpoint works again. Measures the time from the success of the hourly retry to
 * the last POST of the replay.
 *
 *     npm run bench -- replay [<pending events>]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { eventNumbered } from './events.ts';
import { now } from './receiver.ts';
import { startBenchedService } from './service.ts';

const [total = 10_000] = process.argv.slice(2).map(Number);
const HOUR_SECONDS = 5;

const service = await startBenchedService({ hourSeconds: HOUR_SECONDS });
const { account } = service.run.endpoints;
const { endpoint, status } = await service.webhookFor('message.received');
const eventsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => eventNumbered(first + index, { account }));

endpoint.statusOf = () => 500;
await service.publish(eventsFrom(0, 1));
while ((await status()) !== 'failed') await delay(50);
const publishedAt = now();
await service.publish(eventsFrom(1, total - 1));
const storedS = ((await service.untilQuiet()) - publishedAt) / 1_000;
const hourlyPosts = endpoint.posts;

endpoint.statusOf = () => 204;
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
await service.stop();
