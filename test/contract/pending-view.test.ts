import { randomBytes, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/dynamodb-pending-events.ts';
import { DynamoDbPendingView } from '../../adapters/dynamodb/dynamodb-pending-view.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import type { PendingView } from '../../core/delivery/shown/list-pending-events.ts';
import { idsOf, pastNoon, walk } from '../support/adapters/delivery-logs.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';
import { refusalOf } from '../support/refusals.ts';

const INTEGRATION = aDelivery().integration;

const deliveryAt = (minute: number, wishes: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    event: { ...anEventReference(`evt_${minute}`), occurredAt: pastNoon(minute).toISOString() },
    ...wishes,
  });

const deliveriesOf = (count: number) =>
  Array.from({ length: count }, (_, minute) => deliveryAt(minute));

/** A body too large for one item. */
const largeBody = () => randomBytes(785_000).toString('base64');

interface Subject {
  readonly pending: PendingEvents;
  readonly view: PendingView;
}

const pendingViewContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the view of what is pending`, () => {
    const createWith = async (...deliveries: Delivery[]) => {
      const subject = await create();
      for (const delivery of deliveries) await subject.pending.put(delivery, A_MESSAGE);
      return subject.view;
    };

    it('shows the oldest first, without bodies', async () => {
      const view = await createWith(deliveryAt(2), deliveryAt(0), deliveryAt(1));
      const { account, integration, event } = deliveryAt(0);
      const page = await view.page(INTEGRATION, { limit: 100 });
      expect(idsOf(page)).toEqual(['evt_0', 'evt_1', 'evt_2']);
      expect(page.deliveries[0]).toEqual({ account, integration, event });
      expect(page).not.toHaveProperty('next');
    });

    it('shows and counts nothing of an integration that nothing waits for', async () => {
      const view = await createWith(deliveryAt(0, { integration: 'another00000' }));
      expect(await view.page(INTEGRATION, { limit: 100 })).toEqual({ deliveries: [] });
      expect(await view.count(INTEGRATION, 100)).toEqual({ count: 0, isExact: true });
    });

    it('gives the whole list in order, each once, page by page, with any limit', async () => {
      const deliveries = deliveriesOf(30);
      const view = await createWith(...deliveries);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (limit) => {
          const pages = await walk((after) => view.page(INTEGRATION, { limit, ...after }));
          expect(pages.flatMap(idsOf)).toEqual(deliveries.map(({ event }) => event.id));
          expect(pages).toHaveLength(Math.ceil(30 / limit));
        }),
        { numRuns: 20 },
      );
    });

    it('counts no further than it is asked to', async () => {
      const view = await createWith(...deliveriesOf(5));
      expect(await view.count(INTEGRATION, 6)).toEqual({ count: 5, isExact: true });
      expect(await view.count(INTEGRATION, 5)).toEqual({ count: 5, isExact: true });
      expect(await view.count(INTEGRATION, 4)).toEqual({ count: 4, isExact: false });
    });

    it('shows and counts a delivery of 1 MiB as one, among others', async () => {
      const view = await createWith(
        deliveryAt(0),
        deliveryAt(1, { body: largeBody() }),
        deliveryAt(2, { body: largeBody() }),
      );
      const pages = await walk((after) => view.page(INTEGRATION, { limit: 1, ...after }));
      expect(pages.flatMap(idsOf)).toEqual(['evt_0', 'evt_1', 'evt_2']);
      expect(await view.count(INTEGRATION, 100)).toEqual({ count: 3, isExact: true });
    });

    it('knows of a delivery whether it waits', async () => {
      const { pending, view } = await create();
      await pending.put(deliveryAt(0), A_MESSAGE);
      expect(await view.isPending(deliveryAt(0))).toBe(true);
      expect(await view.isPending(deliveryAt(0, { integration: 'another00000' }))).toBe(false);
      await pending.removeOf(deliveryAt(0), A_MESSAGE);
      expect(await view.isPending(deliveryAt(0))).toBe(false);
    });

    it('refuses a cursor that no page gave', async () => {
      const view = await createWith(deliveryAt(0));
      const page = { limit: 1, after: Buffer.from('body#evt_0').toString('base64url') };
      expect(await refusalOf(() => view.page(INTEGRATION, page))).toMatchObject({
        kind: 'validation',
        faults: [{ parameter: 'cursor' }],
      });
    });
  });

pendingViewContract('memory', async () => {
  const pending = new InMemoryPendingEvents();
  return { pending, view: pending };
});

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  const create = async () => {
    const table = await tables.createTable('partition', 'entry');
    return {
      pending: new DynamoDbPendingEvents(tables.client, table, { newVersion: randomUUID }),
      view: new DynamoDbPendingView(tables.client, table),
    };
  };

  pendingViewContract('a table', create);

  it('answers with short pages, and counts at least so many, where bodies nearly fill an item', async () => {
    const { pending, view } = await create();
    const body = largeBody().slice(0, 350_000);
    const deliveries = deliveriesOf(70).map((delivery) => ({ ...delivery, body }));
    for (const delivery of deliveries) await pending.put(delivery, A_MESSAGE);
    const pages = await walk((after) => view.page(INTEGRATION, { limit: 100, ...after }));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(idsOf)).toEqual(deliveries.map(({ event }) => event.id));
    const { count, isExact } = await view.count(INTEGRATION, 10_000);
    expect(isExact).toBe(false);
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(70);
  });

  it('tells of a table that does not exist', async () => {
    const view = new DynamoDbPendingView(tables.client, 'no-such-table');
    await expect(view.page(INTEGRATION, { limit: 1 })).rejects.toThrow();
    await expect(view.count(INTEGRATION, 1)).rejects.toThrow();
    await expect(view.isPending(deliveryAt(0))).rejects.toThrow();
  });
});
