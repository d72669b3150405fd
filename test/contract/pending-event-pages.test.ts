import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/dynamodb-pending-events.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PendingEvent, PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import { useTables } from '../support/adapters/emulated-tables.ts';
import {
  losingFirstAnswer,
  operationsOf,
  watchedClient,
} from '../support/adapters/watched-client.ts';
import { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import { largestBody } from '../support/event/body-sizes.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;
/** More than two calls of DynamoDB delete. */
const MANY = 60;

const deliveryOf = (second: number, wishes: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    event: {
      ...anEventReference(`evt_${second}`),
      occurredAt: new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString(),
    },
    ...wishes,
  });

const idsOf = (pending: readonly PendingEvent[]) =>
  pending.map(({ delivery }) => delivery.event.id);

/** What is pending of so many deliveries stored, and of `more`. */
const storedIn = async (pending: PendingEvents, count: number, ...more: readonly Delivery[]) => {
  const deliveries = Array.from({ length: count }, (_, second) => deliveryOf(second));
  await Promise.all([...deliveries, ...more].map((one) => pending.put(one, A_MESSAGE)));
  return pending.oldest(INTEGRATION, count + more.length);
};

const removalOfPages = (name: string, create: () => Promise<PendingEvents>) =>
  describe(`${name}, when a page is removed`, () => {
    it('has none of the page, and all else', async () => {
      const pending = await create();
      const page = await storedIn(pending, MANY);
      await pending.put(deliveryOf(MANY), A_MESSAGE);
      await pending.removeAllAsRead(page);
      expect(page).toHaveLength(MANY);
      expect(idsOf(await pending.oldest(INTEGRATION, 100))).toEqual([`evt_${MANY}`]);
    });

    it('keeps what was stored again since it was read', async () => {
      const pending = await create();
      const page = await storedIn(pending, MANY);
      await pending.put(deliveryOf(30, { priorAttempts: 3 }), A_MESSAGE);
      await pending.removeAllAsRead(page);
      const kept = await pending.oldest(INTEGRATION, 100);
      expect(kept.map(({ delivery }) => delivery)).toEqual([deliveryOf(30, { priorAttempts: 3 })]);
    });

    it('does not mind what is removed already', async () => {
      const pending = await create();
      const page = await storedIn(pending, 3);
      await pending.removeOf(deliveryOf(1), A_MESSAGE);
      await pending.removeAllAsRead(page);
      await pending.removeAllAsRead(page);
      expect(await pending.oldest(INTEGRATION, 100)).toEqual([]);
    });

    it('removes large events with the others', async () => {
      const pending = await create();
      const large = deliveryOf(1_000, { body: largestBody() });
      await pending.removeAllAsRead(await storedIn(pending, 3, large));
      expect(await pending.oldest(INTEGRATION, 100)).toEqual([]);
    });

    it('has nothing to do for an empty page', async () => {
      const pending = await create();
      await storedIn(pending, 1);
      await pending.removeAllAsRead([]);
      expect(await pending.oldest(INTEGRATION, 100)).toHaveLength(1);
    });
  });

removalOfPages('memory', async () => new InMemoryPendingEvents());

describe('DynamoDB', () => {
  const tables = useTables();

  const newTable = () => tables.createTable('partition', 'entry');
  const over = (table: string, client = tables.client) => new DynamoDbPendingEvents(client, table);

  removalOfPages('a table', async () => over(await newTable()));

  it('takes a call for 25 events of a page', async () => {
    const table = await newTable();
    const page = await storedIn(over(table), MANY);
    const { client, sent } = watchedClient(tables.client);
    await over(table, client).removeAllAsRead(page);
    expect(operationsOf(sent)).toEqual(Array(3).fill('BatchExecuteStatement'));
  });

  it('removes by calls of their own the events that a batch left undone', async () => {
    const table = await newTable();
    const pending = over(table);
    const page = await storedIn(pending, MANY);
    await pending.put(deliveryOf(1, { priorAttempts: 3 }), A_MESSAGE);
    const { client, sent } = watchedClient(tables.client, { undone: 2 });
    await over(table, client).removeAllAsRead(page);
    expect(operationsOf(sent).filter((name) => name === 'DeleteItem')).toHaveLength(2 * 3);
    expect(idsOf(await pending.oldest(INTEGRATION, 100))).toEqual(['evt_1']);
  });

  it('fails when an event cannot be removed', async () => {
    const table = await newTable();
    const page = await storedIn(over(table), MANY);
    const { client } = watchedClient(tables.client, {
      undone: 1,
      onCommand: (command) => {
        if (command instanceof DeleteCommand) throw new Error('throttled');
      },
    });
    await expect(over(table, client).removeAllAsRead(page)).rejects.toThrow('throttled');
  });

  it('has removed a page whose first answer is lost, and nothing stored meanwhile', async () => {
    const pending = over(await newTable());
    const page = await storedIn(pending, 3);
    const meanwhile = () => pending.put(deliveryOf(1, { priorAttempts: 3 }), A_MESSAGE);
    await losingFirstAnswer(tables.client, () => pending.removeAllAsRead(page), { meanwhile });
    expect(idsOf(await pending.oldest(INTEGRATION, 100))).toEqual(['evt_1']);
  });

  it('tells of a table that does not exist', async () => {
    const page = [{ delivery: deliveryOf(1), version: 'v' }];
    await expect(over('no-such-table').removeAllAsRead(page)).rejects.toThrow();
  });
});
