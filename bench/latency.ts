/**
 * The time from SendMessage to the POST at the receiver, in the embedded run, at a steady rate. The
 * events are sent one by one.
 *
 *     npm run bench:latency [-- <events a second> <seconds>]
 */
import { quantile, startBenchedService } from './service.ts';
import { latenciesOfStream } from './steady-stream.ts';

const [perSecond = 50, seconds = 20] = process.argv.slice(2).map(Number);
/** Enough events to compile the code. */
const WARM_UP = 400;
const WARM_UP_PER_SECOND = 50;

const service = await startBenchedService();
const { endpoint } = await service.webhookFor('message.received');
await latenciesOfStream(service, endpoint, {
  first: 0,
  total: WARM_UP,
  perSecond: WARM_UP_PER_SECOND,
});

const total = perSecond * seconds;
const latenciesMs = await latenciesOfStream(service, endpoint, {
  first: WARM_UP,
  total,
  perSecond,
});
const [median, p95, p99] = [0.5, 0.95, 0.99].map((share) =>
  quantile(latenciesMs, share).toFixed(1),
);
console.log(`SendMessage to POST, ${total} events at ${perSecond}/s, all delivered:`);
console.log(`median ${median} ms, p95 ${p95} ms, p99 ${p99} ms`);
await service.stop();
