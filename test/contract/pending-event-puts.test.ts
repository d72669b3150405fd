import {
  BatchExecuteStatementCommand,
  type DynamoDBDocumentClient,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/dynamodb-pending-events.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { useTables } from '../support/adapters/emulated-tables.ts';
import {
  losingFirstAnswer,
  operationsOf,
  watchedClient,
} from '../support/adapters/watched-client.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

const deliveryOf = (id: number, wishes: Partial<Delivery> = {}): Delivery =>
  aDelivery({ event: anEventReference(`evt_${String(id).padStart(2, '0')}`), ...wishes });

const deliveriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => deliveryOf(index));

const INTEGRATION = deliveryOf(0).integration;

/** DynamoDB takes sort keys of at most 1,024 bytes. */
const REFUSED = aDelivery({ event: anEventReference('x'.repeat(1_100)) });

describe('deliveries stored as pending at the same time', () => {
  const tables = useTables();
  let table: string;
  beforeEach(async () => {
    table = await tables.createTable('partition', 'entry');
  });

  const over = (client: DynamoDBDocumentClient) => new DynamoDbPendingEvents(client, table);

  const store = (client: DynamoDBDocumentClient, ...deliveries: readonly Delivery[]) => {
    const pending = over(client);
    return Promise.all(deliveries.map((delivery) => pending.put(delivery, A_MESSAGE)));
  };

  const stored = async (): Promise<Delivery[]> => {
    const pending = await over(tables.client).oldest(INTEGRATION, 100);
    return pending
      .map(({ delivery }) => delivery)
      .toSorted((a, b) => (a.event.id < b.event.id ? -1 : 1));
  };

  it.each([
    [10, ['BatchExecuteStatement']],
    [25, ['BatchExecuteStatement']],
    [30, ['BatchExecuteStatement', 'BatchExecuteStatement']],
    [1, ['PutItem']],
  ])('are stored by a call for 25: %i', async (count, operations) => {
    const { client, sent } = watchedClient(tables.client);
    await store(client, ...deliveriesOf(count));
    expect(operationsOf(sent)).toEqual(operations);
    expect(await stored()).toEqual(deliveriesOf(count));
  });

  it('replace those stored before, and keep a resend', async () => {
    const resend = deliveryOf(2, { trigger: 'manual' });
    await store(tables.client, deliveryOf(1), resend);
    const again = deliveriesOf(4).map((one) => ({ ...one, priorAttempts: 7 }));
    const { client, sent } = watchedClient(tables.client);
    await store(client, ...again);
    expect(operationsOf(sent)).toEqual(['BatchExecuteStatement', 'PutItem', 'PutItem']);
    expect(await stored()).toEqual([again[0], again[1], resend, again[3]]);
  });

  it('may be of one event, whose resend stays', async () => {
    const resend = deliveryOf(1, { trigger: 'manual' });
    await store(tables.client, resend, deliveryOf(0), deliveryOf(1));
    expect(await stored()).toEqual([deliveryOf(0), resend]);
  });

  it('are stored by calls of their own when statements are left undone', async () => {
    const { client, sent } = watchedClient(tables.client, { undone: 2 });
    await store(client, ...deliveriesOf(10));
    expect(operationsOf(sent)).toEqual(['BatchExecuteStatement', 'PutItem', 'PutItem']);
    expect(await stored()).toEqual(deliveriesOf(10));
  });

  it('fail one by one when calls of their own fail', async () => {
    const { client } = watchedClient(tables.client, {
      undone: 2,
      onCommand: (command) => {
        if (command instanceof PutCommand && isOf(command, 'evt_01')) throw new Error('throttled');
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
    await store(client, ...deliveriesOf(3));
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
    expect(results).toEqual(Array(3).fill({ status: 'rejected', reason: new Error('throttled') }));
    expect(operationsOf(sent)).toEqual(['BatchExecuteStatement']);
  });

  it('are stored once when the first answer is lost', async () => {
    await losingFirstAnswer(tables.client, () => store(tables.client, ...deliveriesOf(10)));
    expect(await stored()).toEqual(deliveriesOf(10));
  });
});

const isOf = ({ input: { Item } }: PutCommand, event: string): boolean =>
  Item?.reference.id === event;
