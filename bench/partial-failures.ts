/**
 * An endpoint that fails for some events, always the same events, beside an endpoint that works:
 * first it answers 504 to 10 % of the events, then 400 to 30 % with `onFatalError` `pause`, then to
 * none and to 30 % with `continue`. Measures whether the other events, the good events, are held
 * up, and the messages in flight.
 *
 *     npm run bench:partial-failures [-- <seconds>]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { numberOf } from './event-ids.ts';
import { logged } from './function-logs.ts';
import { mostInFlight } from './quiet.ts';
import { now } from './receiver.ts';
import { eventNumbered, quantile, startBenchedService } from './service.ts';
import { latenciesOfStream, latenciesTo, sendSteadily } from './steady-stream.ts';

const [seconds = 120] = process.argv.slice(2).map(Number);
const PER_SECOND = 50;
const NEIGHBOUR_PER_SECOND = 10;
const WARM_UP = { first: 1_000_000, total: 250, perSecond: PER_SECOND };
/** After the last event. The good events that are missing then count with their wait so far. */
const PATIENCE_MS = 300_000;

const measure = async ({
  statusCode,
  percent,
  hourSeconds,
  onFatalError = 'pause',
}: {
  statusCode: number;
  percent: number;
  hourSeconds: number;
  onFatalError?: 'pause' | 'continue';
}): Promise<{ p95Ms: number }> => {
  const service = await startBenchedService({ hourSeconds });
  const { account } = service.run.endpoints;
  const partial = await service.webhookFor('contact.created');
  await partial.change({ settings: { onFatalError } });
  const neighbour = await service.webhookFor('message.received');
  await latenciesOfStream(service, neighbour.endpoint, WARM_UP);
  const total = PER_SECOND * seconds;
  const isGood = (event: string): boolean => numberOf(event) % 100 >= percent;
  partial.endpoint.statusOf = (event) => (isGood(event) ? 204 : statusCode);

  const neighbourTotal = NEIGHBOUR_PER_SECOND * seconds;
  const sending = Promise.all([
    sendSteadily(service, {
      total,
      perSecond: PER_SECOND,
      // 37 and 100 have no common divisor: the bad events are spread over each hundred.
      eventAt: (index) => eventNumbered(index * 37, { account, type: 'contact.created' }),
    }),
    sendSteadily(service, {
      total: neighbourTotal,
      perSecond: NEIGHBOUR_PER_SECOND,
      eventAt: (index) => eventNumbered(index, { account }),
    }),
  ]);
  const most = await mostInFlight(service, sending);
  const [sentAt, neighbourSentAt] = await sending;
  await neighbour.endpoint.untilConfirmed(WARM_UP.total + neighbourTotal);
  const goodSentAt = new Map([...sentAt].filter(([event]) => isGood(event)));
  const good = goodSentAt.size;
  const inTime = partial.endpoint.confirmed.size;
  await Promise.race([
    partial.endpoint.untilConfirmed(good),
    delay(PATIENCE_MS, undefined, { ref: false }),
  ]);

  const endedAt = now();
  const { confirmed } = partial.endpoint;
  const missing = [...goodSentAt].filter(([event]) => !confirmed.has(event));
  const waitsMs = [
    ...latenciesTo(partial.endpoint, goodSentAt),
    ...missing.map(([, at]) => endedAt - at),
  ];
  const setAside = new Set((await logged('delivery.set_aside')).map(({ event }) => event)).size;
  console.log(
    `${PER_SECOND} events/s for ${seconds} s, ${statusCode} to ${percent} % of them, ${onFatalError}, an hour lasts ${hourSeconds} s:`,
  );
  console.log(`  most in flight: ${most}; POSTs: ${partial.endpoint.posts}`);
  console.log(
    `  good events: ${inTime} of ${good} delivered when all were sent, ${missing.length} missing at the end; longest wait ${(Math.max(...waitsMs) / 1_000).toFixed(1)} s`,
  );
  console.log(`  median / p95 ms: ${report(waitsMs)}`);
  console.log(
    `  neighbour, median / p95 ms: ${report(latenciesTo(neighbour.endpoint, neighbourSentAt))}`,
  );
  console.log(
    `  bad events: ${total - good}; set aside ${setAside}, pending ${await partial.countPending()}, status ${await partial.status()}`,
  );
  await service.stop();
  return { p95Ms: quantile(waitsMs, 0.95) };
};

const report = (latenciesMs: readonly number[]): string =>
  [0.5, 0.95].map((share) => quantile(latenciesMs, share).toFixed(1)).join(' / ');

await measure({ statusCode: 504, percent: 10, hourSeconds: 3_600 });
await measure({ statusCode: 400, percent: 30, hourSeconds: 10 });
const continuing = { statusCode: 400, hourSeconds: 3_600, onFatalError: 'continue' } as const;
const none = await measure({ ...continuing, percent: 0 });
const some = await measure({ ...continuing, percent: 30 });
console.log(
  `p95 of the good events, continue: 30 % refused ÷ none ${(some.p95Ms / none.p95Ms).toFixed(2)}`,
);
