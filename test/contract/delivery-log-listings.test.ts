import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/dynamodb-delivery-log.ts';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/dynamodb-delivery-log-reader.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { pastNoon } from '../support/adapters/delivery-logs.ts';
import { useTables } from '../support/adapters/emulated-tables.ts';
import {
  losingFirstAnswer,
  operationsOf,
  watchedClient,
} from '../support/adapters/watched-client.ts';
import { largestBody } from '../support/event/body-sizes.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const NOON = pastNoon(0);
const IN_30_DAYS = Date.parse('2026-12-20T12:00:00Z') / 1_000;

/** Events whose ids tell that they occurred at noon. */
const deliveryOf = (number: number, wishes: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    event: anEventReference(`evt_01M7WD7TG001234567890000${String(number).padStart(2, '0')}`),
    ...wishes,
  });

const deliveriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => deliveryOf(index));

/** DynamoDB takes sort keys of at most 1,024 bytes. */
const REFUSED = aDelivery({ event: anEventReference('x'.repeat(1_100)) });

const DONE = undefined;

describe('deliveries that are listed before an attempt', () => {
  const tables = useTables();
  let table: string;
  beforeEach(async () => {
    table = await tables.createTable('partition', 'entry');
  });

  const logOver = (client: DynamoDBDocumentClient) =>
    new DynamoDbDeliveryLog(client, table, {
      retentionDays: 30,
      deadlineMs: 8_000,
      now: () => NOON,
    });

  const items = async () => {
    const scan = new ScanCommand({ TableName: table, ConsistentRead: true });
    const { Items = [] } = await tables.client.send(scan);
    return Items.toSorted((one, other) => (one.entry < other.entry ? -1 : 1));
  };

  const listedIds = async () => (await items()).map(({ entry }) => entry.split('#')[1]);
  const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ event }) => event.id);

  it.each([
    [1, ['PutItem']],
    [10, ['BatchExecuteStatement']],
    [26, ['BatchExecuteStatement', 'BatchExecuteStatement']],
  ])('take a call for 25 of them: %i', async (count, operations) => {
    const { client, sent } = watchedClient(tables.client);
    expect(await logOver(client).list(deliveriesOf(count))).toEqual(Array(count).fill(DONE));
    expect(operationsOf(sent)).toEqual(operations);
    expect(await listedIds()).toEqual(idsOf(deliveriesOf(count)));
  });

  it('take no other call when they are listed already', async () => {
    await logOver(tables.client).list(deliveriesOf(10));
    const { client, sent } = watchedClient(tables.client);
    expect(await logOver(client).list(deliveriesOf(10))).toEqual(Array(10).fill(DONE));
    expect(operationsOf(sent)).toEqual(['BatchExecuteStatement']);
  });

  it('take calls of their own when statements are left undone, which replace nothing', async () => {
    await logOver(tables.client).list([deliveryOf(0, { body: '{"listed":"before"}' })]);
    const before = await items();
    const { client, sent } = watchedClient(tables.client, { undone: 2 });
    expect(await logOver(client).list(deliveriesOf(4))).toEqual(Array(4).fill(DONE));
    expect(operationsOf(sent)).toEqual(['BatchExecuteStatement', 'PutItem', 'PutItem']);
    expect(await listedIds()).toEqual(idsOf(deliveriesOf(4)));
    expect(await items()).toEqual(expect.arrayContaining(before));
  });

  it('do not suffer from one that DynamoDB refuses', async () => {
    const deliveries = [deliveryOf(0), REFUSED, deliveryOf(2)];
    const listed = await logOver(tables.client).list(deliveries);
    expect(listed).toEqual([DONE, expect.any(Error), DONE]);
    expect(await listedIds()).toEqual(idsOf([deliveryOf(0), deliveryOf(2)]));
  });

  it('are listed once when an answer is lost', async () => {
    const log = logOver(tables.client);
    const list = () => log.list(deliveriesOf(3));
    expect(await losingFirstAnswer(tables.client, list)).toEqual([DONE, DONE, DONE]);
    expect(await listedIds()).toEqual(idsOf(deliveriesOf(3)));
  });

  it('are kept for 30 days, with the largest body and what points to them', async () => {
    const body = largestBody();
    const large = aDelivery({ event: anEventReference('evt_1'), body });
    expect(await logOver(tables.client).list([large, deliveryOf(1)])).toEqual([DONE, DONE]);
    const kept = await items();
    expect(kept.map(({ entry }) => entry)).toEqual([
      `2026-11-20T12:00:00.000Z#${deliveryOf(1).event.id}`,
      '2026-11-20T12:00:00.000Z#evt_1',
      'event#evt_1',
    ]);
    expect(kept.map(({ expiresAt }) => expiresAt)).toEqual(kept.map(() => IN_30_DAYS));
    const reader = new DynamoDbDeliveryLogReader(tables.client, table, { now: () => NOON });
    expect((await reader.bodyOf(large)) === body).toBe(true);
  });
});
