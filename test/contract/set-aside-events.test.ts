import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/dynamodb-pending-events.ts';
import { DynamoDbSetAsideEvents } from '../../adapters/dynamodb/dynamodb-pending-writer.ts';
import type { SetAsideEvents } from '../../core/delivery/pending/pending-events.ts';
import { useTables } from '../support/adapters/emulated-tables.ts';
import { InMemorySetAsideEvents } from '../support/delivery/pending/in-memory-set-aside-events.ts';
import { largestBody } from '../support/event/body-sizes.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

const LARGE = largestBody();

const setAsideContract = (name: string, create: () => Promise<SetAsideEvents>) =>
  describe(`${name} as the keeper of what is set aside`, () => {
    it.each([
      ['a small body', '{}'],
      ['a body of the largest size', LARGE],
    ])('tells what is new, and what was there, with %s', async (_case, body) => {
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

describe('DynamoDB', () => {
  const tables = useTables();

  const createTable = () => tables.createTable('partition', 'entry');

  setAsideContract(
    'a table',
    async () => new DynamoDbSetAsideEvents(tables.client, await createTable()),
  );

  it('keeps it apart from the pending events, until the integration is purged', async () => {
    const table = await createTable();
    const pending = new DynamoDbPendingEvents(tables.client, table);
    const kept = new DynamoDbSetAsideEvents(tables.client, table);
    await kept.add(aDelivery({ body: LARGE }));
    expect(await pending.oldest(aDelivery().integration, 10)).toEqual([]);
    await pending.put(aDelivery(), A_MESSAGE);
    expect(await pending.oldest(aDelivery().integration, 10)).toHaveLength(1);
    while (!(await pending.purgePage(aDelivery().integration)));
    const { Items } = await tables.client.send(new ScanCommand({ TableName: table }));
    expect(Items).toEqual([]);
  });
});
