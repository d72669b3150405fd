/**
 * Replay rate: an endpoint answers 500, so its integration fails and everything sent is pending;
 * then it is mended, and the time is from the hourly retry's success to the last replayed POST.
 *
 *     npm run bench:replay [-- <pending events>]
 */
import { now } from './receiver.ts';
import { eventNumbered, pause, startBenchedService } from './service.ts';

const [total = 10_000] = process.argv.slice(2).map(Number);
const HOUR_SECONDS = 5;

const { run, publish, webhookFor, deliveriesInFlight, stop } =
  await startBenchedService(HOUR_SECONDS);
const { endpoint, status } = await webhookFor('message.received');
const { account } = run.endpoints;

endpoint.statusCode = 500;
await publish([eventNumbered(0, { account })]);
while ((await status()) !== 'failed') await pause(50);

const startedAt = now();
await publish(
  Array.from({ length: total - 1 }, (_, index) => eventNumbered(index + 1, { account })),
);
// Nothing but the hourly retry is sent meanwhile; stored is what no queue holds any more.
for (let quiet = 0; quiet < 20; await pause(50)) {
  quiet = (await deliveriesInFlight()) === 0 ? quiet + 1 : 0;
}
const storedS = (now() - startedAt) / 1_000;
const hourlyPosts = endpoint.posts;

endpoint.statusCode = 204;
await endpoint.arrived(1);
const recoveredAt = now();
await endpoint.arrived(total);
const seconds = (now() - recoveredAt) / 1_000;

const duplicates = endpoint.posts - hourlyPosts - total;
console.log(
  `${total} events pending after ${storedS.toFixed(1)} s, ${hourlyPosts} POSTs while failed`,
);
console.log(
  `replayed in ${seconds.toFixed(1)} s: ${Math.round(total / seconds)} events/s, lost 0, duplicates ${duplicates}`,
);
await stop();
