import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/pending-events/pending-events.ts';
import { DynamoDbPendingView } from '../../adapters/dynamodb/pending-events/pending-view.ts';
import { DynamoDbSlotStore } from '../../adapters/dynamodb/pending-events/slot-store.ts';
import { positionOf } from '../../core/delivery/delivery.ts';
import { buildTakeSlot, type SlotStore } from '../../core/delivery/sending/backoff.ts';
import type { IntegrationKey } from '../../core/integration/integration.ts';
import { limits } from '../../lib/limits.ts';
import { operationsOf, watchedClient } from '../support/adapters/watched-client.ts';
import { InMemorySlotStore } from '../support/delivery/sending/in-memory-slot-store.ts';
import { A_MESSAGE, aDelivery } from '../support/event/platform-events.ts';
import { anIntegration } from '../support/integration/integrations.ts';

const OWNER = anIntegration();
const NEIGHBOUR = anIntegration({ id: 'bbbbbbbbbbbb' });

/** What is taken of the owner's slots, and until when. */
const TAKEN = { backoff0: 5_000, backoff7: 9_000 };

const takeAll = async (slots: SlotStore, owner: IntegrationKey = OWNER) => {
  for (const [slot, until] of Object.entries(TAKEN)) {
    await slots.takeSlot(owner, { slot, now: 0, until });
  }
};

/** The slots of an integration as a slot tells them that is taken all the time. */
const slotsOf = async (slots: SlotStore, owner: IntegrationKey = OWNER) =>
  slots.takeSlot(owner, { slot: 'backoff7', now: 0, until: 1 });

const slotsContract = (name: string, create: () => Promise<SlotStore>) =>
  describe(`${name} as the keeper of backoff slots`, () => {
    const createTaken = async () => {
      const slots = await create();
      await takeAll(slots);
      return slots;
    };

    it.each([
      ['that was never taken', 'backoff3', 4_999],
      ['that is free again', 'backoff0', 5_000],
    ])('gives a slot %s', async (_which, slot, now) => {
      const slots = await createTaken();
      expect(await slots.takeSlot(OWNER, { slot, now, until: 8_000 })).toBe('taken');
      expect(await slotsOf(slots)).toEqual({ ...TAKEN, [slot]: 8_000 });
    });

    it('tells which slots are taken instead of giving one that is', async () => {
      const slots = await createTaken();
      const taking = { slot: 'backoff0', now: 4_999, until: 8_000 };
      expect(await slots.takeSlot(OWNER, taking)).toEqual(TAKEN);
      expect(await slotsOf(slots)).toEqual(TAKEN);
    });

    it('keeps the slots of integrations apart', async () => {
      const slots = await createTaken();
      const taking = { slot: 'backoff0', now: 4_999, until: 8_000 };
      expect(await slots.takeSlot(NEIGHBOUR, taking)).toBe('taken');
      expect(await slotsOf(slots)).toEqual(TAKEN);
      expect(await slots.takeSlot(NEIGHBOUR, taking)).toEqual({ backoff0: 8_000 });
    });

    it('gives a slot to one of several that request it at once', async () => {
      const slots = await createTaken();
      const takings = ['backoff1', 'backoff2', 'backoff1'].map((slot, index) => ({
        slot,
        now: 4_000,
        until: 8_000 + index,
      }));
      const taken = await Promise.all(takings.map((taking) => slots.takeSlot(OWNER, taking)));
      const known = { ...TAKEN, backoff1: 8_000, backoff2: 8_001 };
      expect(taken).toEqual(['taken', 'taken', known]);
      expect(await slotsOf(slots)).toEqual(known);
    });

    it('gives no more slots than there are, however many request one', async () => {
      const slots = await createTaken();
      const take = buildTakeSlot({ slots, random: () => 0.5 });
      const taking = { limit: 10, now: new Date(4_000), until: new Date(8_000) };
      const taken = await Promise.all(Array.from({ length: 30 }, () => take(OWNER, taking)));
      expect(taken.filter(Boolean).length).toBeLessThanOrEqual(8);
      expect(Object.values(await slotsOf(slots))).toHaveLength(2 + taken.filter(Boolean).length);
    });
  });

slotsContract('Memory', async () => new InMemorySlotStore());

describe('in an emulated table', () => {
  const tables = useTables();

  const createTable = () => tables.createTable('partition', 'entry');

  slotsContract('DynamoDB', async () => new DynamoDbSlotStore(tables.client, await createTable()));

  const createWatched = async () => {
    const table = await createTable();
    const { client, sent } = watchedClient(tables.client);
    const kept = new DynamoDbSlotStore(tables.client, table);
    await takeAll(kept);
    await takeAll(kept, NEIGHBOUR);
    const slots = new DynamoDbSlotStore(client, table);
    const take = (slot: string, owner = OWNER) =>
      slots.takeSlot(owner, { slot, now: 4_000, until: 8_000 });
    const find = (owner = OWNER) => slotsOf(kept, owner);
    return { sent, take, find };
  };

  it('gives all slots that are requested at once by one update', async () => {
    const { sent, take } = await createWatched();
    const slots = Array.from({ length: limits.backoffSlots }, (_, number) => `backoff${number}`);
    const free = slots.filter((slot) => !(slot in TAKEN));
    expect(await Promise.all(free.map((slot) => take(slot)))).toEqual(free.map(() => 'taken'));
    expect(operationsOf(sent)).toEqual(['UpdateItem']);
  });

  it('gives none when one was taken meanwhile, and lists the taken ones', async () => {
    const { sent, take, find } = await createWatched();
    const taken = await Promise.all(['backoff1', 'backoff7', 'backoff2'].map((slot) => take(slot)));
    expect(taken).toEqual([TAKEN, TAKEN, TAKEN]);
    expect(operationsOf(sent)).toEqual(['UpdateItem', 'GetItem']);
    expect(await find()).toEqual(TAKEN);
  });

  it('gives the slots of another integration by another update', async () => {
    const { sent, take, find } = await createWatched();
    const taken = await Promise.all([take('backoff7'), take('backoff1', NEIGHBOUR)]);
    expect(taken).toEqual([TAKEN, 'taken']);
    expect(operationsOf(sent)).toEqual(['UpdateItem', 'UpdateItem', 'GetItem']);
    expect(await find(NEIGHBOUR)).toEqual({ ...TAKEN, backoff1: 8_000 });
  });

  it('has DynamoDB delete the slots a day after the last of them is free', async () => {
    const table = await createTable();
    const slots = new DynamoDbSlotStore(tables.client, table);
    const noon = Date.UTC(2026, 10, 20, 12);
    const take = (slot: string, until: number) => slots.takeSlot(OWNER, { slot, now: noon, until });
    await Promise.all([take('backoff1', noon + 15_000), take('backoff2', noon + 30_000)]);
    const { Items } = await tables.client.send(new ScanCommand({ TableName: table }));
    expect(Items).toMatchObject([{ expiresAt: Date.UTC(2026, 10, 21, 12, 0, 30) / 1_000 }]);
  });

  it('stores slots apart from pending events, which a purge removes', async () => {
    const table = await createTable();
    const slots = new DynamoDbSlotStore(tables.client, table);
    await takeAll(slots);
    const pending = new DynamoDbPendingEvents(tables.client, table);
    const delivery = aDelivery({ integration: OWNER.id });
    await pending.put(delivery, A_MESSAGE);
    const [kept, ...others] = await pending.oldest(OWNER.id, 10);
    expect([kept?.delivery, ...others]).toEqual([delivery]);
    expect(await pending.newest(OWNER.id, 10)).toEqual([kept]);
    for await (const page of pending.pages(OWNER.id, { limit: 10, last: positionOf(delivery) })) {
      expect(page).toEqual([kept]);
    }
    const view = new DynamoDbPendingView(tables.client, table);
    for (const [state, count] of [
      ['pending', 1],
      ['set-aside', 0],
    ] as const) {
      const of = { integration: OWNER.id, state };
      expect((await view.page(of, { limit: 10 })).deliveries).toHaveLength(count);
      expect(await view.count(of, 10)).toEqual({ count, isExact: true });
    }
    while (!(await pending.purgePage(OWNER.id)));
    expect(await pending.oldest(OWNER.id, 10)).toEqual([]);
    expect(await slotsOf(slots)).toEqual(TAKEN);
  });
});
