import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbSlots } from '../../adapters/dynamodb/dynamodb-slots.ts';
import { buildTakeSlot, type SlotStore } from '../../core/delivery/attempt/slots.ts';
import type { IntegrationStore, NewIntegrations } from '../../core/integration/integration.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
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
});
