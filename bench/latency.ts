/**
 * The time from SendMessage to the POST at the receiver, in the embedded run, at a steady rate, and the
 * CPU time of the run for each event. The events are sent one by one.
 *
 *     npm run bench -- latency [<events a second> <seconds>]
 */

import { latenciesTo, sendSteadily } from './event-sender.ts';
import { eventNumbered } from './events.ts';
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
  const eventAt = (index: number) => eventNumbered(before + index, { account });
  const sentAt = await sendSteadily(service, { ...stream, eventAt });
  await endpoint.untilConfirmed(before + stream.total);
  return latenciesTo(endpoint, sentAt);
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
