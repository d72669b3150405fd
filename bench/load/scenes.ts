import { latenciesTo, sendSteadily } from '../event-sender.ts';
import { typicalEvent } from '../events.ts';
import { type Endpoint, now } from '../receiver.ts';
import { type BenchedService, quantile } from '../service.ts';

/** By name; each name says the unit. */
export type Figures = Readonly<Record<string, number>>;

const CUSTOMERS = 10;
const BODY_BYTES = 1_100;
const PUBLISHERS = 32;
/** Enough events to start sandboxes. */
const WARM_UP = { total: 200, perSecond: 50 };
const AT_ONCE = 10_000;
const HANGING = { perSecond: 50, seconds: 15, partSeconds: 5 };

interface Customer {
  readonly account: string;
  readonly endpoint: Endpoint;
}

/** Ten customers with a webhook each. Events are for each of them in turn. */
export interface Load {
  readonly service: BenchedService;
  readonly customers: readonly Customer[];
  /** How many events were made. */
  events: number;
}

export const startLoad = async (service: BenchedService): Promise<Load> => {
  const customers: Customer[] = [];
  for (let count = 0; count < CUSTOMERS; count += 1) {
    const customer = await service.newCustomer();
    const { endpoint } = await service.webhookFor('message.received', customer);
    customers.push({ account: customer.account, endpoint });
  }
  const load = { service, customers, events: 0 };
  await sendAt(load, WARM_UP);
  return load;
};

const nextEvent = (load: Load) => {
  const { account = '' } = load.customers[load.events % CUSTOMERS] ?? {};
  load.events += 1;
  return typicalEvent(load.events, { account, bodyBytes: BODY_BYTES });
};

/** Resolves when the endpoints have confirmed all their events. */
const untilConfirmed = async (load: Load, customers = load.customers): Promise<void> => {
  for (const { endpoint } of customers) await endpoint.untilConfirmed(load.events / CUSTOMERS);
};

const sendAt = async (load: Load, { total, perSecond }: typeof WARM_UP) => {
  const sentAt = await sendSteadily(load.service, {
    total,
    perSecond,
    eventAt: () => nextEvent(load),
  });
  await untilConfirmed(load);
  return sentAt;
};

/** CPU time of the run, in milliseconds. */
const cpuMsOf = async (load: Load, work: () => Promise<void>): Promise<number> => {
  const before = await load.service.cpuSeconds();
  await work();
  return ((await load.service.cpuSeconds()) - before) * 1_000;
};

/** Events one by one at a rate. */
export const atRate = async (load: Load, perSecond: number, seconds: number): Promise<Figures> => {
  const total = perSecond * seconds;
  let latencies: number[] = [];
  const cpuMs = await cpuMsOf(load, async () => {
    const sentAt = await sendAt(load, { total, perSecond });
    latencies = load.customers.flatMap(({ endpoint }) => latenciesTo(endpoint, sentAt));
  });
  return {
    [`${perSecond}/s: p50, ms`]: quantile(latencies, 0.5),
    [`${perSecond}/s: p95, ms`]: quantile(latencies, 0.95),
    [`${perSecond}/s: CPU ms an event`]: cpuMs / total,
  };
};

/** Events as fast as publishers side by side can send them. */
export const atOnce = async (load: Load): Promise<Figures> => {
  let left = AT_ONCE;
  const publish = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await load.service.send(nextEvent(load));
    }
  };
  const startedAt = now();
  const cpuMs = await cpuMsOf(load, async () => {
    await Promise.all(Array.from({ length: PUBLISHERS }, publish));
    await untilConfirmed(load);
  });
  return {
    'at once: events a second': AT_ONCE / ((now() - startedAt) / 1_000),
    'at once: CPU ms an event': cpuMs / AT_ONCE,
  };
};

/** What others notice in the first seconds of an endpoint that does not answer any more. */
export const besideHanging = async (load: Load): Promise<Figures> => {
  const { perSecond, seconds, partSeconds } = HANGING;
  const [hanging, ...others] = load.customers;
  if (hanging) hanging.endpoint.statusOf = () => new Promise(() => {});
  const startedAt = now();
  const sentAt = await sendSteadily(load.service, {
    total: perSecond * seconds,
    perSecond,
    eventAt: () => nextEvent(load),
  });
  await untilConfirmed(load, others);
  return Object.fromEntries(
    Array.from({ length: seconds / partSeconds }, (_, part) => {
      const [from, to] = [part * partSeconds, (part + 1) * partSeconds];
      const inPart = ([, at]: [string, number]) =>
        at - startedAt >= from * 1_000 && at - startedAt < to * 1_000;
      const sent = new Map([...sentAt].filter(inPart));
      const latencies = others.flatMap(({ endpoint }) => latenciesTo(endpoint, sent));
      return [`beside a hanging endpoint: p95, ms, ${from} to ${to} s`, quantile(latencies, 0.95)];
    }),
  );
};
