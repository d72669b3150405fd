/**
 * An endpoint that worked until then answers every POST with 504. Measures how many of its messages
 * are in flight, and the latency of a second integration of the same account whose endpoint works.
 * Then the dead endpoint works again, and the time until all its events are delivered is measured.
 *
 * Before that another endpoint dies, and stays dead: what happens when an attempt fails is compiled
 * then, as in a service in which some endpoint is always dead.
 *
 * The events of an account are one group of the events queue: when those for the dead endpoint come
 * faster than this machine routes, the latency of the second integration is the waiting time there.
 *
 *     npm run bench:dead-gateway [-- <events for the dead endpoint> <events a second>]
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { EventType } from '../core/event/event-types.ts';
import { untilQuiet } from './quiet.ts';
import { now } from './receiver.ts';
import { eventNumbered, quantile, startBenchedService } from './service.ts';
import { latenciesOfStream } from './steady-stream.ts';

const [total = 50_000, perSecond = 250] = process.argv.slice(2).map(Number);
const HOUR_SECONDS = 20;
const WORKING_PER_SECOND = 20;
const WORKING_EVENTS = 600;
const WARM_UP = 400;
const WARM_UP_BESIDE = 2_000;
const WARM_UP_DEAD = 2_000;
const SAMPLE_MS = 5_000;

const service = await startBenchedService({ hourSeconds: HOUR_SECONDS });
const working = await service.webhookFor('message.received');
const dead = await service.webhookFor('contact.created');
const deadBefore = await service.webhookFor('contact.opted_out');
const { account } = service.run.endpoints;
const stream = (first: number, count: number) =>
  latenciesOfStream(service, working.endpoint, {
    first,
    total: count,
    perSecond: WORKING_PER_SECOND,
  });
const report = (latenciesMs: readonly number[]): string =>
  [0.5, 0.95].map((share) => quantile(latenciesMs, share).toFixed(1)).join(' / ');

/** Sends events for an endpoint that is or will be dead, at their rate. */
const publishBeside = async (
  first: number,
  count: number,
  type: EventType = 'contact.created',
): Promise<void> => {
  const startedAt = now();
  for (let sent = 0; sent < count; sent += 10) {
    const dueMs = startedAt + (sent / perSecond) * 1_000 - now();
    if (dueMs > 0) await delay(dueMs);
    await service.publish(
      Array.from({ length: 10 }, (_, index) =>
        eventNumbered(first + sent + index, { account, type }),
      ),
    );
  }
};

await Promise.all([stream(0, WARM_UP), publishBeside(1_000_000, WARM_UP_BESIDE)]);
await dead.endpoint.untilConfirmed(WARM_UP_BESIDE);
deadBefore.endpoint.statusOf = () => 504;
await Promise.all([
  stream(2_000, WARM_UP),
  publishBeside(3_000_000, WARM_UP_DEAD, 'contact.opted_out'),
]);
await untilQuiet(service);
// The function that tells the status starts now, and not beside what is measured.
await dead.status();
const alone = await stream(5_000, WORKING_EVENTS);

dead.endpoint.statusOf = () => 504;
const workedFor = dead.endpoint.posts;
const startedAt = now();
const seconds = (): number => (now() - startedAt) / 1_000;
let isPublished = false;
const publishing = publishBeside(2_000_000, total).then(() => {
  isPublished = true;
  console.log(`${total} events for the dead endpoint were sent after ${seconds().toFixed(0)} s`);
});
let maximum = 0;
const sampling = (async () => {
  console.log('seconds  in flight  status');
  for (let quiet = 0; quiet < 2; await delay(SAMPLE_MS)) {
    const inFlight = await service.deliveriesInFlight();
    maximum = Math.max(maximum, inFlight);
    const status = await dead.status();
    console.log(`${seconds().toFixed(0).padStart(7)}  ${String(inFlight).padStart(9)}  ${status}`);
    quiet = isPublished && inFlight < 100 ? quiet + 1 : 0;
  }
})();
const meanwhile = await stream(10_000, WORKING_EVENTS);
await publishing;
await sampling;
const deadPosts = dead.endpoint.posts - workedFor;

dead.endpoint.statusOf = () => 204;
const repairedAt = now();
await dead.endpoint.untilConfirmed(WARM_UP_BESIDE + total);
const drainedS = (now() - repairedAt) / 1_000;

console.log(`most in flight: ${maximum}; POSTs to the dead endpoint: ${deadPosts}`);
console.log(
  `working endpoint, median / p95 ms: ${report(meanwhile)} meanwhile, ${report(alone)} alone`,
);
const ratios = (latenciesMs: readonly number[]): string =>
  [0.5, 0.95]
    .map((share) => (quantile(latenciesMs, share) / quantile(alone, share)).toFixed(2))
    .join(' / ');
console.log(`meanwhile ÷ alone, median / p95: ${ratios(meanwhile)}`);
console.log(`dead endpoint repaired: all ${total} delivered in ${drainedS.toFixed(0)} s`);
await service.stop();
