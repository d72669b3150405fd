import {
  BatchExecuteStatementCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/pending-events/pending-events.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import {
  losingFirstAnswer,
  operationsOf,
  watchedClient,
} from '../support/adapters/watched-client.ts';
import { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;
/** More than two calls of DynamoDB delete. */
const MANY = 60;
/** DynamoDB takes sort keys of at most 1,024 bytes. */
const REFUSED = aDelivery({ event: anEventReference('x'.repeat(1_100)) });

const deliveryOf = (second: number, overrides: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    event: {
      ...anEventReference(`evt_${second}`),
      occurredAt: new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString(),
    },
    ...overrides,
  });

const deliveriesOf = (count: number) =>
  Array.from({ length: count }, (_, second) => deliveryOf(second));

/** Stores deliveries at the same time. */
const store = (pending: PendingEvents, ...deliveries: readonly Delivery[]) =>
  Promise.all(deliveries.map((delivery) => pending.put(delivery, A_MESSAGE)));

const storedIn = async (pending: PendingEvents): Promise<Delivery[]> =>
  (await pending.oldest(INTEGRATION, 100)).map(({ delivery }) => delivery);

const AGAIN = deliveryOf(1, { priorAttempts: 3 });

/** A page of so many stored events. */
const pageOf = async (pending: PendingEvents, count: number) => {
  await store(pending, ...deliveriesOf(count));
  return pending.oldest(INTEGRATION, count);
};

const removalOfPages = (name: string, create: () => Promise<PendingEvents>) =>
  describe(`${name}, when a page is removed`, () => {
    it('has none of the page, and all else', async () => {
      const pending = await create();
      const page = await pageOf(pending, MANY);
      await store(pending, deliveryOf(MANY));
      await pending.removeAllAsRead(page);
      expect(page).toHaveLength(MANY);
      expect(await storedIn(pending)).toEqual([deliveryOf(MANY)]);
    });

    it('keeps what was stored again since it was read', async () => {
      const pending = await create();
      const page = await pageOf(pending, MANY);
      await store(pending, AGAIN);
      await pending.removeAllAsRead(page);
      expect(await storedIn(pending)).toEqual([AGAIN]);
    });

    it('does not mind what is removed already', async () => {
      const pending = await create();
      const page = await pageOf(pending, 3);
      await pending.removeOf(deliveryOf(1), A_MESSAGE);
      await pending.removeAllAsRead(page);
      await pending.removeAllAsRead(page);
      expect(await storedIn(pending)).toEqual([]);
    });

    it('has nothing to do for an empty page', async () => {
      const pending = await create();
      await store(pending, deliveryOf(1));
      await pending.removeAllAsRead([]);
      expect(await storedIn(pending)).toHaveLength(1);
    });
  });

removalOfPages('memory', async () => new InMemoryPendingEvents());

describe('DynamoDB', () => {
  const tables = useTables();
  let table: string;
  beforeEach(async () => {
    table = await tables.createTable('partition', 'entry');
  });

  const over = (client: DynamoDBDocumentClient = tables.client) =>
    new DynamoDbPendingEvents(client, table);
  const stored = () => storedIn(over());

  removalOfPages('a table', async () => over());

  it('takes a call for 25 events of a page', async () => {
    const page = await pageOf(over(), MANY);
    const { client, sent } = watchedClient(tables.client);
    await over(client).removeAllAsRead(page);
    expect(operationsOf(sent)).toEqual(Array(3).fill('BatchExecuteStatement'));
  });

  it('removes by calls of their own the events that a batch left undone', async () => {
    const pending = over();
    const page = await pageOf(pending, MANY);
    await store(pending, AGAIN);
    const { client, sent } = watchedClient(tables.client, { undone: 2 });
    await over(client).removeAllAsRead(page);
    expect(operationsOf(sent).filter((name) => name === 'DeleteItem')).toHaveLength(2 * 3);
    expect(await stored()).toEqual([AGAIN]);
  });

  it('fails when an event cannot be removed', async () => {
    const page = await pageOf(over(), MANY);
    const { client } = watchedClient(tables.client, {
      undone: 1,
      onCommand: (command) => {
        if (command instanceof DeleteCommand) throw new Error('throttled');
      },
    });
    await expect(over(client).removeAllAsRead(page)).rejects.toThrow('throttled');
  });

  it('removes a page whose first answer is lost, and nothing stored since', async () => {
    const pending = over();
    const page = await pageOf(pending, 3);
    const meanwhile = () => store(pending, AGAIN);
    await losingFirstAnswer(tables.client, () => pending.removeAllAsRead(page), { meanwhile });
    expect(await stored()).toEqual([AGAIN]);
  });

  it('fails for a table that does not exist', async () => {
    const page = [{ delivery: deliveryOf(1), version: 'v' }];
    const pending = new DynamoDbPendingEvents(tables.client, 'no-such-table');
    await expect(pending.removeAllAsRead(page)).rejects.toThrow();
  });

  describe('deliveries stored as pending at the same time', () => {
    it.each([
      [10, ['BatchExecuteStatement']],
      [25, ['BatchExecuteStatement']],
      [30, ['BatchExecuteStatement', 'BatchExecuteStatement']],
      [1, ['PutItem']],
    ])('are stored by a call for 25: %i', async (count, operations) => {
      const { client, sent } = watchedClient(tables.client);
      await store(over(client), ...deliveriesOf(count));
      expect(operationsOf(sent)).toEqual(operations);
      expect(await stored()).toEqual(deliveriesOf(count));
    });

    it('replace those stored before, and keep a resend', async () => {
      const resend = deliveryOf(2, { trigger: 'manual' });
      await store(over(), deliveryOf(1), resend);
      const again = deliveriesOf(4).map((one) => ({ ...one, priorAttempts: 7 }));
      const { client, sent } = watchedClient(tables.client);
      await store(over(client), ...again);
      expect(operationsOf(sent)).toEqual(['BatchExecuteStatement', 'PutItem', 'PutItem']);
      expect(await stored()).toEqual([again[0], again[1], resend, again[3]]);
    });

    it('may be of one event, whose resend stays', async () => {
      const resend = deliveryOf(1, { trigger: 'manual' });
      await store(over(), resend, deliveryOf(0), deliveryOf(1));
      expect(await stored()).toEqual([deliveryOf(0), resend]);
    });

    it('are stored by calls of their own when statements are left undone', async () => {
      const { client, sent } = watchedClient(tables.client, { undone: 2 });
      await store(over(client), ...deliveriesOf(10));
      expect(operationsOf(sent)).toEqual(['BatchExecuteStatement', 'PutItem', 'PutItem']);
      expect(await stored()).toEqual(deliveriesOf(10));
    });

    it('fail one by one when calls of their own fail', async () => {
      const { client } = watchedClient(tables.client, {
        undone: 2,
        onCommand: (command) => {
          if (command instanceof PutCommand && command.input.Item?.reference.id === 'evt_1')
            throw new Error('throttled');
        },
      });
      const pending = over(client);
      const results = await Promise.allSettled(
        deliveriesOf(10).map((delivery) => pending.put(delivery, A_MESSAGE)),
      );
      const failed = results.flatMap(({ status }, id) => (status === 'rejected' ? id : []));
      expect(failed).toEqual([1]);
      expect(await stored()).toEqual(deliveriesOf(10).toSpliced(1, 1));
    });

    it('do not suffer from one that DynamoDB refuses', async () => {
      const pending = over(tables.client);
      const results = await Promise.allSettled(
        [deliveryOf(0), REFUSED, deliveryOf(2)].map((delivery) => pending.put(delivery, A_MESSAGE)),
      );
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await stored()).toEqual([deliveryOf(0), deliveryOf(2)]);
    });

    it('are stored one by one when DynamoDB refuses their batch as a whole', async () => {
      const empty = await tables.client
        .send(new BatchExecuteStatementCommand({ Statements: [] }))
        .catch((fault: unknown) => fault);
      const { client } = watchedClient(tables.client, {
        onCommand: (command) => {
          if (command instanceof BatchExecuteStatementCommand) throw empty;
        },
      });
      await store(over(client), ...deliveriesOf(3));
      expect(await stored()).toEqual(deliveriesOf(3));
    });

    it('all fail when their call fails for another reason', async () => {
      const { client, sent } = watchedClient(tables.client, {
        onCommand: () => {
          throw new Error('throttled');
        },
      });
      const pending = over(client);
      const puts = deliveriesOf(3).map((delivery) => pending.put(delivery, A_MESSAGE));
      const results = await Promise.allSettled(puts);
      expect(results).toEqual(
        Array(3).fill({ status: 'rejected', reason: new Error('throttled') }),
      );
      expect(operationsOf(sent)).toEqual(['BatchExecuteStatement']);
    });

    it('are stored once when the first answer is lost', async () => {
      await losingFirstAnswer(tables.client, () => store(over(), ...deliveriesOf(10)));
      expect(await stored()).toEqual(deliveriesOf(10));
    });
  });
});
