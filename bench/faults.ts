/**
 * Events at a steady rate while calls of DynamoDB and SQS fail that the functions make, before or
 * after their effect. Counts what was lost, what is stuck and what came twice, and the log events
 * that tell of faults.
 *
 *     npm run bench:faults [-- <events> <failing percent of the calls> <seed>]
 */
import { AwsFaults } from './aws-faults.ts';
import { logged } from './function-logs.ts';
import { untilQuiet } from './quiet.ts';
import { now } from './receiver.ts';
import { eventNumbered, startBenchedService } from './service.ts';
import { sendSteadily } from './steady-stream.ts';

const [total = 2_000, percent = 10, seed = 1] = process.argv.slice(2).map(Number);
const PER_SECOND = 100;
/** A message whose delay could not be set comes back after minutes. */
const PATIENCE_MS = 900_000;
const LOG_EVENTS = [
  'attempt.not_recorded',
  'delivery.not_listed',
  'delivery_log.not_read',
  'record.failed',
  'visibility.not_changed',
];

const faults = new AwsFaults(seed);
const service = await startBenchedService({ hourSeconds: 10, interceptAws: faults.intercept });
const { account } = service.run.endpoints;
const { endpoint, countPending } = await service.webhookFor('message.received');

faults.share = percent / 100;
const startedAt = now();
const sentAt = await sendSteadily(service, {
  total,
  perSecond: PER_SECOND,
  eventAt: (index) => eventNumbered(index, { account }),
});
const quietAt = await untilQuiet(service, PATIENCE_MS);
faults.share = 0;
const seconds = (((quietAt ?? now()) - startedAt) / 1_000).toFixed(0);
const queued = await service.messages();
const pending = await countPending();
await service.stop();

const { confirmed, posts } = endpoint;
const unconfirmed = [...sentAt.keys()].filter((event) => !confirmed.has(event)).length;
console.log(
  `${total} events in ${seconds} s; of ${faults.calls} calls ${faults.withoutEffect} failed without effect, ${faults.withoutAnswer} had an effect and no answer`,
);
console.log(
  `lost ${Math.max(0, unconfirmed - queued - pending)}, stuck ${queued + pending} (on a queue ${queued}, pending ${pending}), duplicates ${posts - confirmed.size}`,
);
for (const name of LOG_EVENTS) console.log(`${name}: ${(await logged(name)).length}`);
