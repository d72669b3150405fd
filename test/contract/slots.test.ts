import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbSlots } from '../../adapters/dynamodb/dynamodb-slots.ts';
import { buildTakeSlot, type SlotStore } from '../../core/delivery/attempt/slots.ts';
import type { IntegrationStore, NewIntegrations } from '../../core/integration/integration.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import { operationsOf, watchedClient } from '../support/adapters/watched-client.ts';
import { InMemoryIntegrations } from '../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../support/integration/integrations.ts';

interface Subject {
  readonly slots: SlotStore;
  readonly integrations: IntegrationStore & NewIntegrations;
}

const STORED = anIntegration({ slots: { backoff0: 5_000, backoff7: 9_000 } });

const slotsContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the keeper of backoff slots`, () => {
    const createStored = async () => {
      const subject = await create();
      await subject.integrations.add(STORED);
      const find = async () => (await subject.integrations.find(STORED.account, STORED.id))?.slots;
      return { ...subject, find };
    };

    it.each([
      ['that was never taken', 'backoff3', 4_999],
      ['that is free again', 'backoff0', 5_000],
    ])('gives a slot %s', async (_which, slot, now) => {
      const { slots, find } = await createStored();
      expect(await slots.takeSlot(STORED, { slot, now, until: 8_000 })).toBe('taken');
      expect(await find()).toEqual({ ...STORED.slots, [slot]: 8_000 });
    });

    it('tells which slots are taken instead of giving one that is', async () => {
      const { slots, find } = await createStored();
      const taking = { slot: 'backoff0', now: 4_999, until: 8_000 };
      expect(await slots.takeSlot(STORED, taking)).toEqual(STORED.slots);
      expect(await find()).toEqual(STORED.slots);
    });

    it('frees a slot, and no other', async () => {
      const { slots, find } = await createStored();
      await slots.freeSlot(STORED, 'backoff0');
      await slots.freeSlot(STORED, 'attempt9');
      expect(await find()).toEqual({ backoff7: 9_000 });
    });

    it('has none of an integration that is gone, and does not bring the integration back', async () => {
      const { slots, integrations } = await create();
      const taking = { slot: 'backoff0', now: 4_999, until: 8_000 };
      expect(await slots.takeSlot(STORED, taking)).toBeUndefined();
      await slots.freeSlot(STORED, 'backoff0');
      expect(await integrations.find(STORED.account, STORED.id)).toBeUndefined();
    });

    it('gives those who ask at once for different slots what each asks for', async () => {
      const { slots, find } = await createStored();
      const takings = ['backoff1', 'backoff2', 'backoff3'].map((slot, index) => ({
        slot,
        now: 4_000,
        until: 8_000 + index,
      }));
      const taken = await Promise.all(takings.map((taking) => slots.takeSlot(STORED, taking)));
      expect(taken).toEqual(['taken', 'taken', 'taken']);
      const added = { backoff1: 8_000, backoff2: 8_001, backoff3: 8_002 };
      expect(await find()).toEqual({ ...STORED.slots, ...added });
    });

    it('gives a slot to one of those who ask for it at once, and tells the others', async () => {
      const { slots, find } = await createStored();
      const takings = ['backoff1', 'backoff2', 'backoff1'].map((slot, index) => ({
        slot,
        now: 4_000,
        until: 8_000 + index,
      }));
      const taken = await Promise.all(takings.map((taking) => slots.takeSlot(STORED, taking)));
      const known = { ...STORED.slots, backoff1: 8_000, backoff2: 8_001 };
      expect(taken).toEqual(['taken', 'taken', known]);
      expect(await find()).toEqual(known);
    });

    it('lets no more deliveries back off than there are slots, however many come at once', async () => {
      const { slots, find } = await createStored();
      const take = buildTakeSlot({ slots, random: () => 0.5 });
      const taking = {
        kind: 'backoff' as const,
        limit: 10,
        now: new Date(4_000),
        until: new Date(8_000),
      };
      const taken = await Promise.all(Array.from({ length: 30 }, () => take(STORED, taking)));
      expect(taken.filter(Boolean).length).toBeLessThanOrEqual(8);
      expect(Object.values((await find()) ?? {})).toHaveLength(2 + taken.filter(Boolean).length);
    });
  });

slotsContract('Memory', async () => {
  const integrations = new InMemoryIntegrations();
  return { slots: integrations, integrations };
});

describe('in an emulated table', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  slotsContract('DynamoDB', async () => {
    const table = await tables.createTable('account', 'id');
    return {
      slots: new DynamoDbSlots(tables.client, table),
      integrations: new DynamoDbIntegrations(tables.client, table),
    };
  });

  const createWatched = async () => {
    const table = await tables.createTable('account', 'id');
    const integrations = new DynamoDbIntegrations(tables.client, table);
    const neighbour = { ...STORED, id: 'bbbbbbbbbbbb' };
    await integrations.add(STORED);
    await integrations.add(neighbour);
    const { client, sent } = watchedClient(tables.client);
    const slots = new DynamoDbSlots(client, table);
    const take = (slot: string, owner = STORED) =>
      slots.takeSlot(owner, { slot, now: 4_000, until: 8_000 });
    const find = async ({ account, id } = STORED) => (await integrations.find(account, id))?.slots;
    return { neighbour, sent, take, find };
  };

  it('gives the slots that are asked for at once by one update', async () => {
    const { sent, take } = await createWatched();
    await Promise.all(['backoff1', 'backoff2', 'backoff3', 'attempt1'].map((slot) => take(slot)));
    expect(operationsOf(sent)).toEqual(['UpdateItem']);
  });

  it('gives none of them when one was taken meanwhile, and tells all which are taken', async () => {
    const { sent, take, find } = await createWatched();
    const taken = await Promise.all(['backoff1', 'backoff7', 'backoff2'].map((slot) => take(slot)));
    expect(taken).toEqual([STORED.slots, STORED.slots, STORED.slots]);
    expect(operationsOf(sent)).toEqual(['UpdateItem', 'GetItem']);
    expect(await find()).toEqual(STORED.slots);
  });

  it('gives the slots of another integration by another update', async () => {
    const { neighbour, sent, take, find } = await createWatched();
    const taken = await Promise.all([take('backoff7'), take('backoff1', neighbour)]);
    expect(taken).toEqual([STORED.slots, 'taken']);
    expect(operationsOf(sent)).toEqual(['UpdateItem', 'UpdateItem', 'GetItem']);
    expect(await find(neighbour)).toEqual({ ...STORED.slots, backoff1: 8_000 });
  });
});
