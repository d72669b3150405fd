import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import {
  type DeliveryItem,
  deliveryItem,
} from '../../adapters/dynamodb/delivery-log/delivery-log-items.ts';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import { idsOf, pastNoon } from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;
const EXPIRY = pastNoon(0).getTime() / 1_000 + 86_400;

const itemAt = (minute: number): DeliveryItem => {
  const occurredAt = pastNoon(minute).toISOString();
  const event = { id: `evt_${minute}`, type: 'message.received', occurredAt } as const;
  const attempt = anAttempt({ event, startedAt: pastNoon(minute) }, answered(500));
  return deliveryItem(aDelivery({ event }), attempt, EXPIRY);
};

describe('A delivery log with items that cannot be read', () => {
  const tables = useTables();

  const readerOf = async (damage: (item: DeliveryItem) => object) => {
    const table = await tables.createTable('partition', 'entry');
    const items = [0, 1, 2].map(itemAt);
    for (const [index, item] of items.entries()) {
      const Item = index === 1 ? damage(item) : item;
      await tables.client.send(new PutCommand({ TableName: table, Item }));
    }
    return new DynamoDbDeliveryLogReader(tables.client, table, { now: () => pastNoon(3) });
  };

  it.each<[string, (item: DeliveryItem) => object]>([
    ['no type', ({ type: _, ...item }) => item],
    ['a type that is no text', (item) => ({ ...item, type: 7 })],
    ['no instant', (item) => ({ ...item, occurredAt: 'yesterday' })],
  ])('lists the others: %s', async (_what, damage) => {
    const reader = await readerOf(damage);
    const since = pastNoon(0);

    expect(idsOf(await reader.newest(INTEGRATION, { filter: {}, limit: 9 }))).toEqual([
      'evt_2',
      'evt_0',
    ]);
    expect(idsOf(await reader.undelivered(INTEGRATION, { since, limit: 9 }))).toEqual([
      'evt_0',
      'evt_2',
    ]);
  });

  it.each<[string, object]>([
    ['no result', { statusCode: undefined }],
    ['no start', { startedAt: 'noon' }],
  ])('lists a delivery without an attempt that has %s', async (_what, wrong) => {
    const reader = await readerOf(({ firstAttempt, ...item }) => ({
      ...item,
      firstAttempt: { ...firstAttempt, ...wrong },
    }));
    const { deliveries } = await reader.newest(INTEGRATION, { filter: {}, limit: 9 });

    expect(deliveries.map(({ latestAttempt }) => latestAttempt !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    expect(await reader.attemptsOf(deliveries[1] ?? aDelivery())).toEqual([]);
  });

  it('has no body where the stored one is damaged', async () => {
    const reader = await readerOf((item) => ({ ...item, deflated: Buffer.from([1, 255]) }));
    const { deliveries } = await reader.newest(INTEGRATION, { filter: {}, limit: 9 });
    const bodies = await Promise.all(deliveries.map((delivery) => reader.bodyOf(delivery)));

    expect(bodies).toEqual([aDelivery().body, undefined, aDelivery().body]);
  });
});
