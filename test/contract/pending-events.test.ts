import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/pending-events/pending-events.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PendingEvent, PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import { MAX_BODY_BYTES } from '../../core/delivery/route-event.ts';
import { itemBytes } from '../support/adapters/item-bytes.ts';
import { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import { incompressible, largestBody } from '../support/event/body-sizes.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;

/** DynamoDB's limit. */
const MAX_ITEM_BYTES = 409_600;

const deliveryOf = (
  id: string,
  occurredAt = '2026-11-20T12:00:00.000Z',
  overrides: Partial<Delivery> = {},
): Delivery => aDelivery({ event: { ...anEventReference(id), occurredAt }, ...overrides });

const deliveriesOf = (pending: readonly PendingEvent[]) => pending.map(({ delivery }) => delivery);

const idsOf = (pending: readonly PendingEvent[]) =>
  pending.map(({ delivery }) => delivery.event.id);

/** Reads and removes every pending delivery, oldest first, page by page. */
const drain = async (pending: PendingEvents, integration = INTEGRATION): Promise<Delivery[]> => {
  const drained: Delivery[] = [];
  for (;;) {
    const page = await pending.oldest(integration, 100);
    if (page.length === 0) return drained;
    drained.push(...deliveriesOf(page));
    await Promise.all(page.map((event) => pending.removeAsRead(event)));
  }
};

const theOldest = async (pending: PendingEvents): Promise<PendingEvent> => {
  const [oldest] = await pending.oldest(INTEGRATION, 1);
  if (oldest === undefined) throw new Error('nothing is pending');
  return oldest;
};

const pendingEventsContract = (name: string, create: () => Promise<PendingEvents>) =>
  describe(`${name} as the keeper of pending events`, () => {
    it('keeps a delivery as it was', async () => {
      const pending = await create();
      const delivery = deliveryOf('evt_1', '2026-11-20T13:00:00.123456+01:00', {
        body: '{"data":{"text":"Grüße 👋 \\n <&>\\u0000"}}',
        trigger: 'replay',
        priorAttempts: 17,
      });
      await pending.put(delivery, A_MESSAGE);
      expect(deliveriesOf(await pending.oldest(INTEGRATION, 100))).toEqual([delivery]);
    });

    it('orders events by when they occurred, whatever their offset', async () => {
      const pending = await create();
      await pending.put(deliveryOf('fourth', '2026-11-20T12:00:00.001Z'), A_MESSAGE);
      await pending.put(deliveryOf('first', '2025-12-31T23:59:59Z'), A_MESSAGE);
      await pending.put(deliveryOf('third', '2026-11-20T12:00:00Z'), A_MESSAGE);
      await pending.put(deliveryOf('fifth', '2026-11-20T11:30:00-01:00'), A_MESSAGE);
      await pending.put(deliveryOf('second', '2026-11-20T12:59:59.999+01:00'), A_MESSAGE);
      expect(idsOf(await pending.oldest(INTEGRATION, 100))).toEqual([
        'first',
        'second',
        'third',
        'fourth',
        'fifth',
      ]);
    });

    it('keeps events of one instant apart', async () => {
      const pending = await create();
      await pending.put(deliveryOf('evt_1'), A_MESSAGE);
      await pending.put(deliveryOf('evt_2'), A_MESSAGE);
      expect(idsOf(await pending.oldest(INTEGRATION, 100)).toSorted()).toEqual(['evt_1', 'evt_2']);
    });

    it('keeps one of an event that is stored twice, as it was stored last', async () => {
      const pending = await create();
      await pending.put(deliveryOf('evt_1'), A_MESSAGE);
      const first = await theOldest(pending);
      const again = { ...first.delivery, priorAttempts: 5 };
      await pending.put(again, A_MESSAGE);
      const kept = await pending.oldest(INTEGRATION, 100);
      expect(deliveriesOf(kept)).toEqual([again]);
      expect(kept[0]?.version).not.toBe(first.version);
    });

    it('gives no more than it was asked for, the oldest', async () => {
      const pending = await create();
      for (const minute of ['04', '02', '00', '01', '03']) {
        await pending.put(deliveryOf(`evt_${minute}`, `2026-11-20T12:${minute}:00Z`), A_MESSAGE);
      }
      expect(idsOf(await pending.oldest(INTEGRATION, 3))).toEqual(['evt_00', 'evt_01', 'evt_02']);
    });

    it('keeps the events of integrations apart', async () => {
      const pending = await create();
      const other = deliveryOf('evt_1', undefined, { integration: 'another00000' });
      await pending.put(deliveryOf('evt_1'), A_MESSAGE);
      await pending.put(other, A_MESSAGE);
      await pending.removeOf(deliveryOf('evt_1'), A_MESSAGE);
      expect(await pending.oldest(INTEGRATION, 100)).toEqual([]);
      expect(deliveriesOf(await pending.oldest('another00000', 100))).toEqual([other]);
    });

    describe('an event', () => {
      const delivery = deliveryOf('evt_1');
      const createWithIt = async () => {
        const pending = await create();
        await pending.put(delivery, A_MESSAGE);
        return pending;
      };

      it('stays when it was stored again since it was read', async () => {
        const pending = await createWithIt();
        const read = await theOldest(pending);
        const again = { ...delivery, priorAttempts: 3 };
        await pending.put(again, A_MESSAGE);
        await pending.removeAsRead(read);
        expect((await theOldest(pending)).delivery).toEqual(again);
      });

      it('stays when it was removed and stored again since it was read', async () => {
        const pending = await createWithIt();
        const read = await theOldest(pending);
        await pending.removeOf(delivery, A_MESSAGE);
        await pending.put(delivery, A_MESSAGE);
        await pending.removeAsRead(read);
        expect((await theOldest(pending)).delivery).toEqual(delivery);
      });

      it('is not removed of another message than the one that stored it last', async () => {
        const pending = await createWithIt();
        await pending.put(delivery, { messageId: 'message-2' });
        await pending.removeOf(delivery, A_MESSAGE);
        expect((await theOldest(pending)).delivery).toEqual(delivery);
        await pending.removeOf(delivery, { messageId: 'message-2' });
        expect(await pending.oldest(INTEGRATION, 100)).toEqual([]);
      });

      it('stays to be sent when it is stored again after its resend', async () => {
        const pending = await createWithIt();
        const resend = { ...delivery, trigger: 'manual' as const };
        await pending.put(resend, A_MESSAGE);
        await pending.put({ ...delivery, priorAttempts: 7 }, { messageId: 'message-2' });
        await pending.removeOf(delivery, { messageId: 'message-2' });
        const kept = await theOldest(pending);
        expect(kept.delivery).toEqual(resend);
        await pending.removeAsRead(kept);
        expect(await pending.oldest(INTEGRATION, 100)).toEqual([]);
      });

      it('is removed at any of its message’s versions, and nothing with it', async () => {
        const pending = await createWithIt();
        await pending.put(deliveryOf('evt_2'), A_MESSAGE);
        await pending.put({ ...delivery, priorAttempts: 3 }, A_MESSAGE);
        await pending.removeOf(delivery, A_MESSAGE);
        await pending.removeOf(delivery, A_MESSAGE);
        expect(deliveriesOf(await pending.oldest(INTEGRATION, 100))).toEqual([deliveryOf('evt_2')]);
      });

      it('counts an attempt and keeps its version', async () => {
        const pending = await createWithIt();
        const read = await theOldest(pending);
        for (const _ of [1, 2]) await pending.countAttempt(await theOldest(pending));
        const { delivery: counted, version } = await theOldest(pending);
        expect(counted).toEqual({ ...delivery, priorAttempts: 2 });
        expect(version).toBe(read.version);
      });
    });

    it('keeps the window of an event whose attempt it counts', async () => {
      const pending = await create();
      const backoff = { since: '2026-11-20T12:00:00.000Z', attempts: 1, hasSlot: false };
      const backingOff = deliveryOf('evt_1', undefined, { priorAttempts: 1, backoff });
      await pending.put(backingOff, A_MESSAGE);
      expect((await theOldest(pending)).delivery).toEqual(backingOff);
      await pending.countAttempt(await theOldest(pending));
      expect((await theOldest(pending)).delivery).toEqual({ ...backingOff, priorAttempts: 2 });
    });

    it('counts no attempt on events stored again or removed since the read', async () => {
      const pending = await create();
      await pending.put(deliveryOf('evt_1'), A_MESSAGE);
      const read = await theOldest(pending);
      await pending.put(deliveryOf('evt_1', undefined, { priorAttempts: 9 }), A_MESSAGE);
      await pending.countAttempt(read);
      expect((await theOldest(pending)).delivery.priorAttempts).toBe(9);
      await pending.removeOf(read.delivery, A_MESSAGE);
      await pending.countAttempt(read);
      expect(await pending.oldest(INTEGRATION, 100)).toEqual([]);
    });

    it('gives every one of many large events, page by page', async () => {
      const pending = await create();
      const isSmall = (minute: number) => minute % 8 === 0;
      const sizes = Array.from({ length: 60 }, (_, minute) =>
        isSmall(minute) ? 10 : MAX_BODY_BYTES,
      );
      const deliveries = sizes.map((bytes, minute) =>
        deliveryOf(`evt_${minute}`, new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString(), {
          body: incompressible(bytes),
        }),
      );
      await Promise.all(deliveries.map((delivery) => pending.put(delivery, A_MESSAGE)));
      const drained = await drain(pending);
      expect(drained.map(({ event }) => event.id)).toEqual(deliveries.map(({ event }) => event.id));
      expect(drained.every(({ body }, index) => body === deliveries[index]?.body)).toBe(true);
    });
  });

pendingEventsContract('memory', async () => new InMemoryPendingEvents());

describe('DynamoDB', () => {
  const tables = useTables();

  pendingEventsContract('a table', async () => {
    const table = await tables.createTable('partition', 'entry');
    return new DynamoDbPendingEvents(tables.client, table);
  });

  it('stores an event with the largest body as one item', async () => {
    const table = await tables.createTable('partition', 'entry');
    const pending = new DynamoDbPendingEvents(tables.client, table);
    const instant = '2026-11-20T12:00:00.000Z';
    const backoff = { since: instant, attempts: 9_999, hasSlot: false };
    const tried = { backoff, priorAttempts: 9_999 };
    await pending.put(
      deliveryOf('e'.repeat(64), undefined, { body: largestBody(), ...tried }),
      A_MESSAGE,
    );
    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));
    expect(Items).toHaveLength(1);
    expect(itemBytes(Items[0])).toBeLessThan(MAX_ITEM_BYTES);
  });

  it('fails for a table that does not exist', async () => {
    const pending = new DynamoDbPendingEvents(tables.client, 'no-such-table');
    const read = { delivery: deliveryOf('evt_1'), version: 'v' };
    await expect(pending.put(read.delivery, A_MESSAGE)).rejects.toThrow();
    await expect(pending.oldest(INTEGRATION, 1)).rejects.toThrow();
    await expect(pending.countAttempt(read)).rejects.toThrow();
    await expect(pending.removeAsRead(read)).rejects.toThrow();
  });
});
