/**
 * Events a second in the embedded run, from the first SendMessage to the last POST at the receiver,
 * and for each second of CPU time of the run.
 * The events are sent as fast as SQS takes them, ten with each call.
 *
 *     npm run bench -- throughput [<events> [<others>]]
 *
 * `others`: so many integrations more in the account, which are not subscribed to the events.
 */

import { platformOf } from '../test/support/journey/platform-of.ts';
import { eventNumbered } from './events.ts';
import { now } from './receiver.ts';
import { startBenchedService } from './service.ts';

const [total = 5_000, others = 0] = process.argv.slice(2).map(Number);
const WARM_UP = 100;

const { run, publish, webhookFor, cpuSeconds, stop } = await startBenchedService();
const { endpoint } = await webhookFor('message.received');
const { account } = run.endpoints;
const { register } = platformOf(run.endpoints);
for (let count = 0; count < others; count += 1) {
  await register('https://localhost/', { actions: { 'contact.created': true } });
}
const events = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => eventNumbered(first + index, { account }));

await publish(events(0, WARM_UP));
await endpoint.untilConfirmed(WARM_UP);

const cpuBefore = await cpuSeconds();
const startedAt = now();
await publish(events(WARM_UP, total));
const sentS = (now() - startedAt) / 1_000;
await endpoint.untilConfirmed(WARM_UP + total);
const seconds = (now() - startedAt) / 1_000;
const cpuS = (await cpuSeconds()) - cpuBefore;

console.log(`${total} events in ${seconds.toFixed(1)} s: ${Math.round(total / seconds)} events/s`);
console.log(`${Math.round(total / cpuS)} events for each CPU second of the run`);
console.log(`(sending took ${sentS.toFixed(1)} s of it; POSTs ${endpoint.posts - WARM_UP})`);
await stop();
