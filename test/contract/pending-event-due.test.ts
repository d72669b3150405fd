import { describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/dynamodb-pending-events.ts';
import type { PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import { useTables } from '../support/adapters/use-tables.ts';
import { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;
const ONE_O_CLOCK = new Date('2026-11-20T13:00:00.000Z');
const WAITING = { ...A_MESSAGE, dueAt: ONE_O_CLOCK };

const duesOf = async (pending: PendingEvents) =>
  (await pending.oldest(INTEGRATION, 10)).map(({ dueAt }) => dueAt);

const dueContract = (name: string, create: () => Promise<PendingEvents>) =>
  describe(`${name} as the keeper of when pending events are due`, () => {
    it('keeps when the next attempt of an event is due, apart from its delivery', async () => {
      const pending = await create();
      await pending.put(aDelivery(), WAITING);
      const [oldest] = await pending.oldest(INTEGRATION, 1);
      expect(oldest).toMatchObject({ dueAt: '2026-11-20T13:00:00.000Z' });
      expect(oldest?.delivery).toEqual(aDelivery());
      expect(await pending.newest(INTEGRATION, 1)).toEqual([oldest]);
    });

    it('keeps when each of several events is due that are stored at the same time', async () => {
      const pending = await create();
      await Promise.all([
        pending.put(aDelivery({ event: anEventReference('evt_1') }), WAITING),
        pending.put(aDelivery({ event: anEventReference('evt_2') }), A_MESSAGE),
      ]);
      expect(await duesOf(pending)).toEqual([WAITING.dueAt.toISOString(), undefined]);
    });

    it('counts an attempt of an event, which is due as before', async () => {
      const pending = await create();
      await pending.put(aDelivery(), WAITING);
      for (const event of await pending.oldest(INTEGRATION, 1)) {
        await pending.countAttempt(event, {});
      }
      expect(await duesOf(pending)).toEqual([WAITING.dueAt.toISOString()]);
    });

    it('takes an event for due that is stored again without a time', async () => {
      const pending = await create();
      await pending.put(aDelivery(), WAITING);
      await pending.put(aDelivery(), A_MESSAGE);
      expect(await duesOf(pending)).toEqual([undefined]);
    });
  });

dueContract('memory', async () => new InMemoryPendingEvents());

describe('DynamoDB', () => {
  const tables = useTables();

  dueContract('a table', async () => {
    const table = await tables.createTable('partition', 'entry');
    return new DynamoDbPendingEvents(tables.client, table);
  });
});
