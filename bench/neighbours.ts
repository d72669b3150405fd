/**
 * Ten webhooks of ten customers, with the same number of events each. Nine endpoints work, and the
 * tenth misbehaves. Measures the latency of the nine, and its ratio to their latency while the
 * tenth works too.
 *
 * The misbehaviours: `hangs`, `drips`, `floods`, `late`, `answers-504` (as a gateway whose endpoint is
 * dead) and `refuses-some` (400 to one event of 32). `late` answers after 14 of the 15 seconds that an
 * endpoint has.
 *
 * An attempt is slow after a second, and ends after 15 seconds. Measure one misbehaviour a run for
 * figures to keep.
 *
 *     npm run bench -- neighbours [<misbehaviour> <seconds>]
 */
import { tlsOf } from 'local-aws/certificates.ts';
import { MisbehavingReceiver } from '../test/support/receiver/misbehaving-receiver.ts';
import { eventOf } from '../test/support/receiver/received-deliveries.ts';
import {
  answer,
  type Behaviour,
  drip,
  hang,
  interimWithoutEnd,
  late,
} from '../test/support/receiver/receiver-behaviours.ts';
import { latenciesTo, sendSteadily } from './event-sender.ts';
import { eventNumbered } from './events.ts';
import { now } from './receiver.ts';
import { quantile, startBenchedService } from './service.ts';

const misbehaviours: Readonly<Record<string, Behaviour>> = {
  hangs: hang,
  drips: drip,
  floods: interimWithoutEnd,
  late: late(answer(200), { afterMs: 14_000 }),
  'answers-504': answer(504),
  'refuses-some': (connection, request) =>
    answer(eventOf(request).endsWith('0') ? 400 : 200)(connection, request),
};

const [wanted = 'all', duration = '30'] = process.argv.slice(2);
const cases = Object.entries(misbehaviours).filter(([name]) => wanted === 'all' || name === wanted);
if (cases.length === 0) {
  throw new Error(`A misbehaviour is all, ${Object.keys(misbehaviours).join(', ')}.`);
}
const PER_SECOND = 50;
const NEIGHBOURS = 9;
const WARM_UP_SECONDS = 5;
/** The first seconds, in which the service does not know the endpoint. */
const FIRST_MS = 5_000;
/** After this many seconds the service should have noticed. */
const NOTICED_AFTER_MS = 17_000;

const service = await startBenchedService();
const receiver = await MisbehavingReceiver.start(await tlsOf(service.run.endpoints));
const neighbours = await Promise.all(
  Array.from({ length: NEIGHBOURS }, async () => {
    const customer = await service.newCustomer();
    const { endpoint } = await service.webhookFor('message.received', customer);
    return { endpoint, account: customer.account };
  }),
);
let published = 0;

/** Each neighbour's latencies while the tenth behaves like this, in all and since it was noticed. */
const latenciesBeside = async (name: string, behaviour: Behaviour, seconds: number) => {
  const { account, register } = await service.newCustomer();
  receiver.behave(`/${name}`, behaviour);
  await register(receiver.url(`/${name}`), { actions: { 'message.received': true } });
  const accounts = [...neighbours.map((neighbour) => neighbour.account), account];
  const total = PER_SECOND * seconds;
  const startedAt = now();
  const sentAt = await sendSteadily(service, {
    total,
    perSecond: PER_SECOND,
    eventAt: (index) => {
      published += 1;
      return eventNumbered(published, { account: accounts[index % accounts.length] ?? account });
    },
  });
  await Promise.all(
    neighbours.map(({ endpoint }) =>
      endpoint.untilConfirmed(Math.floor(published / accounts.length)),
    ),
  );
  receiver.behave(`/${name}`, answer(200));
  await service.untilQuiet();
  const between = (from: number, to: number) =>
    new Map([...sentAt].filter(([, at]) => at - startedAt >= from && at - startedAt < to));
  const ofAll = (sent: ReadonlyMap<string, number>): number[] =>
    neighbours.flatMap(({ endpoint }) => latenciesTo(endpoint, sent));
  return {
    all: ofAll(sentAt),
    first: ofAll(between(0, FIRST_MS)),
    noticed: ofAll(between(NOTICED_AFTER_MS, Number.POSITIVE_INFINITY)),
  };
};

const percentiles = (latenciesMs: readonly number[]): number[] =>
  [0.5, 0.95].map((share) => quantile(latenciesMs, share));

const show = (values: readonly number[], digits: number, width: number): string =>
  values.map((value) => value.toFixed(digits).padStart(width)).join(' ');

const seconds = Number(duration);
await latenciesBeside('warm-up', answer(200), WARM_UP_SECONDS);
const alone = percentiles((await latenciesBeside('alone', answer(200), seconds)).all);
const report = (title: string, latenciesMs: readonly number[]): void => {
  const found = percentiles(latenciesMs);
  const ratios = found.map((value, index) => value / (alone[index] ?? Number.NaN));
  console.log(`${title.padEnd(22)} ${show(found, 1, 9)}   ${show(ratios, 2, 7)}`);
};

console.log(`${PER_SECOND} events/s for ${seconds} s: p50 and p95 of the nine in ms, and ÷ alone`);
console.log(`${'alone'.padEnd(22)} ${show(alone, 1, 9)}`);
for (const [name, behaviour] of cases) {
  const { all, first, noticed } = await latenciesBeside(name, behaviour, seconds);
  report(name, all);
  report(`${name}, first 5 s`, first);
  report(`${name}, from 17 s on`, noticed);
}
await service.stop();
await receiver.close();
