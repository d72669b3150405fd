import { randomBytes } from 'node:crypto';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/delivery-log/delivery-log.ts';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { createDelivery } from '../../core/delivery/route-event.ts';
import { laterEntry, pastNoon } from '../support/adapters/delivery-logs.ts';
import { itemBytes } from '../support/adapters/item-bytes.ts';
import {
  losingFirstAnswer,
  operationsOf,
  watchedClient,
} from '../support/adapters/watched-client.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { largestBody } from '../support/event/body-sizes.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const NOON = pastNoon(0);
/** DynamoDB's limit. */
const MAX_ITEM_BYTES = 409_600;
const IN_30_DAYS = Date.parse('2026-12-20T12:00:00Z') / 1_000;
/** Ids of noon, as ULIDs and as UUIDs of version 7 have it. */
const ULID = 'evt_01M7WD7TG00123456789ABCDEF';
const UUID = 'evt_01a1f8d3-ea00-7abc-8def-0123456789ab';

const deliveryOf = (id: string, overrides: Partial<Delivery> = {}): Delivery =>
  aDelivery({ event: anEventReference(id), ...overrides });

const firstEntry = (delivery: Delivery, statusCode = 200) => ({
  delivery,
  attempt: anAttempt({ event: delivery.event, startedAt: NOON }, answered(statusCode, 'OK')),
  logged: 'nothing' as const,
});

const tables = useTables();
let table: string;
beforeEach(async () => {
  table = await tables.createTable('partition', 'entry');
});

const logOver = (client: DynamoDBDocumentClient = tables.client) =>
  new DynamoDbDeliveryLog(client, table, { deadlineMs: 8_000, now: () => NOON });

const createReader = () => new DynamoDbDeliveryLogReader(tables.client, table, { now: () => NOON });

const items = async () => {
  const scan = new ScanCommand({ TableName: table, ConsistentRead: true });
  const { Items = [] } = await tables.client.send(scan);
  return Items.toSorted((one, other) => (one.entry < other.entry ? -1 : 1));
};

describe('the items of the delivery log', () => {
  it('are one item of less than a write unit for a delivery of 0.9 KB', async () => {
    // No two words are alike: less compressible than what people write.
    const text = randomBytes(240).toString('base64');
    const event = {
      id: ULID,
      type: 'message.received',
      account: 'acme',
      occurredAt: NOON.toISOString(),
      data: {
        message: {
          id: 'msg_83A21',
          body: 'Thanks for calling us about your order. '.repeat(4) + text,
          direction: 'in',
          from: '+14155550123',
          to: '+13035550177',
        },
        contact: { id: 'con_9XX2', name: 'Ada Lovelace', phone: '+14155550123' },
      },
    } as const;
    const delivery = createDelivery(event, '0123456789Ab');
    expect(Buffer.byteLength(delivery.body)).toBeGreaterThan(880);
    await logOver().write([firstEntry(delivery)]);
    const [item, ...others] = await items();
    expect(others).toEqual([]);
    expect(itemBytes(item)).toBeLessThanOrEqual(1_024);
  });

  it.each([ULID, UUID])('tell by the event’s id alone where a delivery is: %s', async (id) => {
    const delivery = deliveryOf(id);
    await logOver().write([firstEntry(delivery), firstEntry(deliveryOf(`${id.slice(0, -1)}0`))]);
    expect(await items()).toHaveLength(2);
    expect(await createReader().find(delivery.integration, id)).toMatchObject({ event: { id } });
  });

  it('point to a delivery whose event’s id tells no time, or another one', async () => {
    const occurredAt = '2026-11-20T11:30:00.000Z';
    const event = { ...anEventReference(ULID), occurredAt };
    const entries = [deliveryOf('evt_1'), deliveryOf(ULID, { event })].map((of) => firstEntry(of));
    await logOver().write(entries);
    const found = (id: string) => createReader().find(aDelivery().integration, id);
    expect(await found('evt_1')).toMatchObject({ event: { id: 'evt_1' } });
    expect(await found(ULID)).toMatchObject({ event });
    expect((await items()).map(({ entry }) => entry)).toEqual([
      `2026-11-20T11:30:00.000Z#${ULID}`,
      '2026-11-20T12:00:00.000Z#evt_1',
      `event#${ULID}`,
      'event#evt_1',
    ]);
  });

  it('are kept for 30 days, with the largest body', async () => {
    const log = logOver();
    const body = largestBody();
    const large = deliveryOf('evt_1', { body });
    await log.write([firstEntry(large, 504)]);
    await log.write([
      laterEntry(anAttempt({ event: large.event, number: 2, startedAt: NOON }, answered(500))),
    ]);
    const kept = await items();
    expect(kept.map(({ entry }) => entry)).toEqual([
      '2026-11-20T12:00:00.000Z#evt_1',
      'attempt#evt_1#2026-11-20T12:00:00.000Z#2',
      'event#evt_1',
    ]);
    expect(kept.map(({ expiresAt }) => expiresAt)).toEqual(kept.map(() => IN_30_DAYS));
    expect(itemBytes(kept[0])).toBeLessThan(MAX_ITEM_BYTES);
    expect((await createReader().bodyOf(large)) === body).toBe(true);
  });

  it('keep the instant of an event as the platform wrote it', async () => {
    const event = { ...anEventReference('evt_1'), occurredAt: '2026-11-20T13:30:00+02:00' };
    await logOver().write([firstEntry(deliveryOf('evt_1', { event }))]);
    expect(await createReader().find(aDelivery().integration, 'evt_1')).toMatchObject({ event });
  });

  it('are all written, and read, when DynamoDB leaves them undone of a batch', async () => {
    const log = logOver(leavingUndone(tables.client));
    const deliveries = [deliveryOf('evt_1'), deliveryOf('evt_2')];
    await log.write(deliveries.map((delivery) => firstEntry(delivery)));
    const isDelivered = { logged: 'delivered' };
    expect(await log.read(deliveries)).toMatchObject([isDelivered, isDelivered]);
  });

  it('are read though others are throttled', async () => {
    const log = logOver(throttling('evt_1', tables.client));
    const deliveries = [deliveryOf('evt_1'), deliveryOf('evt_2')];
    await log.write(deliveries.map((delivery) => firstEntry(delivery)));
    const [throttled, other] = await log.read(deliveries);
    expect(throttled).toEqual(new Error('throttled'));
    expect(other).toMatchObject({ logged: 'delivered' });
  });

  it.each([
    ['by the time in its id', (command: Command) => command instanceof QueryCommand],
    ['by pointers', (command: Command) => /"event#/.test(JSON.stringify(command.input))],
  ])('are read though one cannot be looked for under another time %s', async (_how, isRefused) => {
    const log = logOver(
      clientThat(async (command) => {
        if (isRefused(command)) throw new Error('throttled');
        return tables.client.send(command);
      }),
    );
    await logOver().write([firstEntry(deliveryOf('evt_1'))]);
    const event = { ...anEventReference(ULID), occurredAt: '2026-11-20T11:30:00.000Z' };
    const deliveries = [deliveryOf(ULID, { event }), deliveryOf('evt_1'), deliveryOf('evt_2')];
    expect(
      (await log.read(deliveries)).map((reading) => 'logged' in reading && reading.logged),
    ).toEqual(['nothing', 'delivered', 'nothing']);
  });
});

/** Events whose ids tell that they occurred at noon. */
const listedOf = (number: number, overrides: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    event: anEventReference(`evt_01M7WD7TG001234567890000${String(number).padStart(2, '0')}`),
    ...overrides,
  });

const deliveriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => listedOf(index));

/** DynamoDB takes sort keys of at most 1,024 bytes. */
const REFUSED = aDelivery({ event: anEventReference('x'.repeat(1_100)) });

const DONE = undefined;
describe('deliveries that are listed before an attempt', () => {
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
    await logOver().list(deliveriesOf(10));
    const { client, sent } = watchedClient(tables.client);
    expect(await logOver(client).list(deliveriesOf(10))).toEqual(Array(10).fill(DONE));
    expect(operationsOf(sent)).toEqual(['BatchExecuteStatement']);
  });

  it('repeat undone statements in calls that replace nothing', async () => {
    await logOver().list([listedOf(0, { body: '{"listed":"before"}' })]);
    const before = await items();
    const { client, sent } = watchedClient(tables.client, { undone: 2 });
    expect(await logOver(client).list(deliveriesOf(4))).toEqual(Array(4).fill(DONE));
    expect(operationsOf(sent)).toEqual(['BatchExecuteStatement', 'PutItem', 'PutItem']);
    expect(await listedIds()).toEqual(idsOf(deliveriesOf(4)));
    expect(await items()).toEqual(expect.arrayContaining(before));
  });

  it('do not suffer from one that DynamoDB refuses', async () => {
    const deliveries = [listedOf(0), REFUSED, listedOf(2)];
    expect(await logOver().list(deliveries)).toEqual([DONE, expect.any(Error), DONE]);
    expect(await listedIds()).toEqual(idsOf([listedOf(0), listedOf(2)]));
  });

  it('are listed once when an answer is lost', async () => {
    const log = logOver();
    const list = () => log.list(deliveriesOf(3));
    expect(await losingFirstAnswer(tables.client, list)).toEqual([DONE, DONE, DONE]);
    expect(await listedIds()).toEqual(idsOf(deliveriesOf(3)));
  });

  it('are kept for 30 days, with the largest body and what points to them', async () => {
    const body = largestBody();
    const large = aDelivery({ event: anEventReference('evt_1'), body });
    expect(await logOver().list([large, listedOf(1)])).toEqual([DONE, DONE]);
    const kept = await items();
    expect(kept.map(({ entry }) => entry)).toEqual([
      `2026-11-20T12:00:00.000Z#${listedOf(1).event.id}`,
      '2026-11-20T12:00:00.000Z#evt_1',
      'event#evt_1',
    ]);
    expect(kept.map(({ expiresAt }) => expiresAt)).toEqual(kept.map(() => IN_30_DAYS));
    expect((await createReader().bodyOf(large)) === body).toBe(true);
  });
});

type Command = Parameters<DynamoDBDocumentClient['send']>[0];

const clientThat = (send: (command: Command) => Promise<unknown>): DynamoDBDocumentClient =>
  ({ send }) as unknown as DynamoDBDocumentClient;

/** A client whose batches DynamoDB answers with all items undone, as when it throttles. */
const leavingUndone = (client: DynamoDBDocumentClient): DynamoDBDocumentClient =>
  clientThat(async (command) => {
    if (command instanceof BatchWriteCommand) {
      return { UnprocessedItems: command.input.RequestItems };
    }
    if (command instanceof BatchGetCommand) return { UnprocessedKeys: command.input.RequestItems };
    return client.send(command);
  });

/** A client that reads one by one, and not the delivery of one event. */
const throttling = (event: string, client: DynamoDBDocumentClient) => {
  const undone = leavingUndone(client);
  return clientThat(async (command) => {
    if (command instanceof GetCommand && String(command.input.Key?.entry).endsWith(event)) {
      throw new Error('throttled');
    }
    return undone.send(command);
  });
};
