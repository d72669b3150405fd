/**
 * One endpoint answers 504 to everything; how many of its messages are in flight, and what becomes
 * of a healthy integration of the same account meanwhile. Then the endpoint is mended.
 *
 * The events for the dead endpoint come at a rate that one machine can route, so that the healthy
 * one's times show the dead one's effect and not a queue behind too much work: the embedded run has
 * no fair queues.
 *
 *     npm run bench:dead-gateway [-- <events for the dead endpoint> <of them a second>]
 */
import { now } from './receiver.ts';
import { eventNumbered, pause, quantile, startBenchedService } from './service.ts';
import { latenciesOfStream } from './steady-stream.ts';

const [total = 50_000, perSecond = 200] = process.argv.slice(2).map(Number);
const HOUR_SECONDS = 20;
const HEALTHY_PER_SECOND = 20;
const HEALTHY_EVENTS = 600;
const SAMPLE_MS = 5_000;

const service = await startBenchedService(HOUR_SECONDS);
const healthy = await service.webhookFor('message.received');
const dead = await service.webhookFor('contact.created');
const { account } = service.run.endpoints;
const stream = (first: number, count: number) =>
  latenciesOfStream(service, healthy.endpoint, {
    first,
    total: count,
    perSecond: HEALTHY_PER_SECOND,
  });
const report = (latenciesMs: readonly number[]): string =>
  [0.5, 0.95].map((share) => quantile(latenciesMs, share).toFixed(1)).join(' / ');

await stream(0, 50);
const alone = await stream(1_000, HEALTHY_EVENTS);

dead.endpoint.statusCode = 504;
const startedAt = now();
const seconds = (): number => (now() - startedAt) / 1_000;
const deadEvents = Array.from({ length: total }, (_, index) =>
  eventNumbered(1_000_000 + index, { account, type: 'contact.created' }),
);
let isPublished = false;
const publishing = (async () => {
  for (let sent = 0; sent < total; sent += 10) {
    const dueMs = (sent / perSecond - seconds()) * 1_000;
    if (dueMs > 0) await pause(dueMs);
    await service.publish(deadEvents.slice(sent, sent + 10));
  }
  isPublished = true;
  console.log(`${total} events for the dead endpoint were sent after ${seconds().toFixed(0)} s`);
})();
let maximum = 0;
const sampling = (async () => {
  console.log('seconds  in flight  status');
  for (let quiet = 0; quiet < 2; await pause(SAMPLE_MS)) {
    const inFlight = await service.deliveriesInFlight();
    maximum = Math.max(maximum, inFlight);
    const status = await dead.status();
    console.log(`${seconds().toFixed(0).padStart(7)}  ${String(inFlight).padStart(9)}  ${status}`);
    quiet = isPublished && inFlight < 100 ? quiet + 1 : 0;
  }
})();
const meanwhile = await stream(10_000, HEALTHY_EVENTS);
await publishing;
await sampling;
const deadPosts = dead.endpoint.posts;

dead.endpoint.statusCode = 204;
const mendedAt = now();
await dead.endpoint.arrived(total);
const drainedS = (now() - mendedAt) / 1_000;

console.log(`most in flight: ${maximum}; POSTs to the dead endpoint: ${deadPosts}`);
console.log(`healthy beside it, median / p95 ms: ${report(meanwhile)}; alone: ${report(alone)}`);
console.log(`mended: all ${dead.endpoint.arrivals.size} out in ${drainedS.toFixed(0)} s`);
await service.stop();
