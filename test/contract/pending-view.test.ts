import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/pending-events/pending-events.ts';
import { DynamoDbSetAsideEvents } from '../../adapters/dynamodb/pending-events/pending-store.ts';
import { DynamoDbPendingView } from '../../adapters/dynamodb/pending-events/pending-view.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import {
  type PendingEvents,
  STORED_STATES,
  type StoredState,
} from '../../core/delivery/pending/pending-events.ts';
import type { PendingView } from '../../core/delivery/pending/pending-view.ts';
import type { SetAsideEvents } from '../../core/delivery/pending/store-pending.ts';
import { idsOf, pastNoon, walk } from '../support/adapters/delivery-logs.ts';
import { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import { InMemoryPendingView } from '../support/delivery/pending/in-memory-pending-view.ts';
import { InMemorySetAsideEvents } from '../support/delivery/pending/in-memory-set-aside-events.ts';
import { largestBody } from '../support/event/body-sizes.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';
import { refusalOf } from '../support/refusals.ts';

const INTEGRATION = aDelivery().integration;
const PENDING = { integration: INTEGRATION, state: 'pending' } as const;

const deliveryAt = (minute: number, overrides: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    event: { ...anEventReference(`evt_${minute}`), occurredAt: pastNoon(minute).toISOString() },
    ...overrides,
  });

const deliveriesOf = (count: number) =>
  Array.from({ length: count }, (_, minute) => deliveryAt(minute));

interface Subject {
  readonly pending: PendingEvents;
  readonly setAside: SetAsideEvents;
  readonly view: PendingView;
}

/** How a delivery is stored in a state. */
const STORES: Readonly<
  Record<StoredState, (subject: Subject, delivery: Delivery) => Promise<void>>
> = {
  pending: ({ pending }, delivery) => pending.put(delivery, A_MESSAGE),
  'set-aside': async ({ setAside }, delivery) => {
    await setAside.add(delivery);
  },
};

const REMOVES: typeof STORES = {
  pending: ({ pending }, delivery) => pending.removeOf(delivery, A_MESSAGE),
  'set-aside': async ({ setAside }, delivery) => {
    await setAside.remove(delivery);
  },
};

const STATES = STORED_STATES.map((state) => ({
  state,
  other: state === 'pending' ? ('set-aside' as const) : ('pending' as const),
}));

const pendingViewContract = (name: string, create: () => Promise<Subject>) =>
  describe.each(STATES)(`${name} as the view of what is $state`, ({ state, other }) => {
    const KEPT = { integration: INTEGRATION, state };

    /** Keeps the deliveries in the state, and in the other state what the view must leave out. */
    const createWith = async (...deliveries: Delivery[]) => {
      const subject = await create();
      await STORES[other](subject, deliveryAt(59));
      for (const delivery of deliveries) await STORES[state](subject, delivery);
      return subject.view;
    };

    it('shows the oldest first, without bodies', async () => {
      const view = await createWith(deliveryAt(2), deliveryAt(0), deliveryAt(1));
      const { account, integration, event } = deliveryAt(0);
      const page = await view.page(KEPT, { limit: 100 });
      expect(idsOf(page)).toEqual(['evt_0', 'evt_1', 'evt_2']);
      expect(page.deliveries[0]).toEqual({ account, integration, event });
      expect(page).not.toHaveProperty('next');
    });

    it('shows and counts nothing of an integration without any', async () => {
      const view = await createWith(deliveryAt(0, { integration: 'another00000' }));
      expect(await view.page(KEPT, { limit: 100 })).toEqual({ deliveries: [] });
      expect(await view.count(KEPT, 100)).toEqual({ count: 0, isExact: true });
    });

    it('gives the whole list in order, each once, page by page, with any limit', async () => {
      const deliveries = deliveriesOf(30);
      const view = await createWith(...deliveries);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (limit) => {
          const pages = await walk((after) => view.page(KEPT, { limit, ...after }));
          expect(pages.flatMap(idsOf)).toEqual(deliveries.map(({ event }) => event.id));
          expect(pages).toHaveLength(Math.ceil(30 / limit));
        }),
        { numRuns: 20 },
      );
    });

    it('counts no further than it is asked to', async () => {
      const view = await createWith(...deliveriesOf(5));
      expect(await view.count(KEPT, 6)).toEqual({ count: 5, isExact: true });
      expect(await view.count(KEPT, 5)).toEqual({ count: 5, isExact: true });
      expect(await view.count(KEPT, 4)).toEqual({ count: 4, isExact: false });
    });

    it('shows and counts the largest deliveries among those of both states', async () => {
      const subject = await create();
      const large = [1, 2].map((minute) => deliveryAt(minute, { body: largestBody() }));
      for (const delivery of [deliveryAt(0), ...large]) await STORES[state](subject, delivery);
      for (const delivery of large) await STORES[other](subject, delivery);
      const pages = await walk((after) => subject.view.page(KEPT, { limit: 1, ...after }));
      expect(pages.flatMap(idsOf)).toEqual(['evt_0', 'evt_1', 'evt_2']);
      expect(await subject.view.count(KEPT, 100)).toEqual({ count: 3, isExact: true });
    });

    it('says whether a delivery is stored in the state', async () => {
      const subject = await create();
      const { view } = subject;
      await STORES[state](subject, deliveryAt(0));
      expect(await view.isStored(deliveryAt(0), state)).toBe(true);
      expect(await view.isStored(deliveryAt(0), other)).toBe(false);
      expect(await view.isStored(deliveryAt(0, { integration: 'another00000' }), state)).toBe(
        false,
      );
      await STORES[other](subject, deliveryAt(0));
      await REMOVES[state](subject, deliveryAt(0));
      expect(await view.isStored(deliveryAt(0), state)).toBe(false);
      expect(await view.isStored(deliveryAt(0), other)).toBe(true);
    });

    it.each(['body#evt_0', 'set-aside#2026-11-20T12:00:00.000Z#evt_0'])(
      'refuses a cursor that no page gave: %s',
      async (position) => {
        const view = await createWith(deliveryAt(0));
        const page = { limit: 1, after: Buffer.from(position).toString('base64url') };
        expect(await refusalOf(() => view.page(KEPT, page))).toMatchObject({
          kind: 'validation',
          faults: [{ parameter: 'cursor' }],
        });
      },
    );
  });

const LARGE = largestBody();

const setAsideContract = (name: string, create: () => Promise<SetAsideEvents>) =>
  describe(`${name} as the store of set-aside events`, () => {
    it.each([
      ['a small body', '{}'],
      ['a body of the largest size', LARGE],
    ])('distinguishes new events from those already set aside, with %s', async (_case, body) => {
      const kept = await create();
      const delivery = aDelivery({ body });
      expect(await kept.add(delivery)).toBe(true);
      expect(await kept.add({ ...delivery, priorAttempts: 7 })).toBe(false);
      expect(await kept.remove(delivery)).toBe(true);
      expect(await kept.remove(delivery)).toBe(false);
      expect(await kept.add(delivery)).toBe(true);
    });

    it('knows of a delivery whether it is set aside', async () => {
      const kept = await create();
      expect(await kept.has(aDelivery())).toBe(false);
      await kept.add(aDelivery());
      expect(await kept.has(aDelivery({ priorAttempts: 7 }))).toBe(true);
      expect(await kept.has(aDelivery({ integration: 'another00000' }))).toBe(false);
      expect(await kept.has(aDelivery({ event: anEventReference('evt_2') }))).toBe(false);
      await kept.remove(aDelivery());
      expect(await kept.has(aDelivery())).toBe(false);
    });
  });

setAsideContract('memory', async () => new InMemorySetAsideEvents());

pendingViewContract('memory', async () => {
  const pending = new InMemoryPendingEvents();
  const setAside = new InMemorySetAsideEvents();
  return { pending, setAside, view: new InMemoryPendingView(pending, setAside) };
});

describe('DynamoDB', () => {
  const tables = useTables();

  const create = async () => {
    const table = await tables.createTable('partition', 'entry');
    return {
      table,
      pending: new DynamoDbPendingEvents(tables.client, table),
      setAside: new DynamoDbSetAsideEvents(tables.client, table),
      view: new DynamoDbPendingView(tables.client, table),
    };
  };

  pendingViewContract('a table', create);
  setAsideContract('a table', async () => (await create()).setAside);

  it('is stored apart from pending events until the purge', async () => {
    const { table, pending, setAside } = await create();
    await setAside.add(aDelivery({ body: LARGE }));
    expect(await pending.oldest(aDelivery().integration, 10)).toEqual([]);
    await pending.put(aDelivery(), A_MESSAGE);
    expect(await pending.oldest(aDelivery().integration, 10)).toHaveLength(1);
    while (!(await pending.purgePage(aDelivery().integration)));
    const { Items } = await tables.client.send(new ScanCommand({ TableName: table }));
    expect(Items).toEqual([]);
  });

  it('returns short pages and lower bounds where bodies are large', async () => {
    const { pending, view } = await create();
    const body = largestBody();
    const deliveries = deliveriesOf(100).map((delivery) => ({ ...delivery, body }));
    for (const delivery of deliveries) await pending.put(delivery, A_MESSAGE);
    const pages = await walk((after) => view.page(PENDING, { limit: 100, ...after }));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(idsOf)).toEqual(deliveries.map(({ event }) => event.id));
    const { count, isExact } = await view.count(PENDING, 10_000);
    expect(isExact).toBe(false);
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(100);
  });

  it.each(STATES)('leaves out what it cannot read of what is $state', async ({ state }) => {
    const subject = await create();
    const deliveries = deliveriesOf(12);
    for (const delivery of deliveries) await STORES[state](subject, delivery);
    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: subject.table }));
    for (const { reference, ...item } of Items) {
      if (!['evt_3', 'evt_11'].includes(reference.id)) continue;
      await tables.client.send(new PutCommand({ TableName: subject.table, Item: item }));
    }
    const stored = { integration: INTEGRATION, state };
    const pages = await walk((after) => subject.view.page(stored, { limit: 4, ...after }));

    const readable = deliveries.map(({ event }) => event.id);
    expect(pages.flatMap(idsOf)).toEqual(readable.filter((id) => !/^evt_(3|11)$/.test(id)));
    expect((await subject.view.count(stored, 100)).count).toBe(12);
  });

  it('fails for a table that does not exist', async () => {
    const view = new DynamoDbPendingView(tables.client, 'no-such-table');
    await expect(view.page(PENDING, { limit: 1 })).rejects.toThrow();
    await expect(view.count(PENDING, 1)).rejects.toThrow();
    await expect(view.isStored(deliveryAt(0), 'pending')).rejects.toThrow();
  });
});
