/**
 * Time from SendMessage to the POST at the receiver, through the embedded run, at a steady rate.
 *
 *     npm run bench:latency [-- <events a second> <seconds>]
 */
import { eventNumbered, now, quantile, startBenchedService } from './service.ts';

const [rate = 50, seconds = 20] = process.argv.slice(2).map(Number);
const WARM_UP = 50;

const { run, arrivals, arrived, stop } = await startBenchedService();
const send = (number: number) => run.events.send(eventNumbered(number, run.endpoints.account));

for (let number = 0; number < WARM_UP; number += 1) await send(number);
await arrived(WARM_UP);

const total = rate * seconds;
const sentAt = new Map<string, number>();
const sends: Promise<unknown>[] = [];
const startedAt = now();
for (let number = 0; number < total; number += 1) {
  const dueMs = startedAt + (number * 1_000) / rate - now();
  if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
  sentAt.set(`evt_bench_${WARM_UP + number}`, now());
  sends.push(send(WARM_UP + number));
}
await Promise.all(sends);
await arrived(WARM_UP + total);

const latenciesMs = [...sentAt].map(([event, at]) => (arrivals.get(event) ?? Number.NaN) - at);
const [median, p95, p99] = [0.5, 0.95, 0.99].map((share) =>
  quantile(latenciesMs, share).toFixed(1),
);
console.log(`SendMessage to POST, ${total} events at ${rate}/s:`);
console.log(
  `median ${median} ms, p95 ${p95} ms, p99 ${p99} ms, all ${arrivals.size - WARM_UP} arrived`,
);
await stop();
