import { randomBytes } from 'node:crypto';
import {
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/dynamodb-delivery-log.ts';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/dynamodb-delivery-log-reader.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { DeliveryLog, DeliveryLogReader } from '../../core/delivery/delivery-log.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { InMemoryDeliveryLog } from '../support/delivery/in-memory-delivery-log.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;
const INTEGRATION = aDelivery().integration;

const deliveryOf = (id: string, wishes: Partial<Delivery> = {}): Delivery =>
  aDelivery({ event: anEventReference(id), body: `{"of":"${id}"}`, ...wishes });

/** An attempt of the delivery of `evt_1`, made `minutes` minutes past noon. */
const attemptAt = (minutes: number, statusCode: number) =>
  anAttempt(
    {
      event: anEventReference('evt_1'),
      number: minutes + 1,
      startedAt: new Date(NOON.getTime() + minutes * MINUTE_MS),
    },
    answered(statusCode),
  );

interface Subject {
  readonly log: DeliveryLog;
  readonly reader: DeliveryLogReader;
}

const listedIn = async (reader: DeliveryLogReader, integration = INTEGRATION) => {
  const { deliveries } = await reader.newest(integration, { filter: {}, limit: 100 });
  return deliveries.map(({ event, deliveredAt, latestAttempt }) => ({
    id: event.id,
    latest: latestAttempt?.number,
    deliveredAt,
  }));
};

const deliveryLogContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the delivery log`, () => {
    it('lists deliveries before any attempt, with what is sent', async () => {
      const { log, reader } = await create();
      const deliveries = Array.from({ length: 23 }, (_, index) =>
        deliveryOf('evt_1', { integration: `integration${index}`, body: `{"for":${index}}` }),
      );
      await log.open(deliveries);
      for (const delivery of deliveries) {
        expect(await listedIn(reader, delivery.integration)).toEqual([
          { id: 'evt_1', latest: undefined, deliveredAt: undefined },
        ]);
        expect(await reader.bodyOf(delivery)).toBe(delivery.body);
      }
    });

    it('keeps the bytes of the largest body', async () => {
      const { log, reader } = await create();
      const body = JSON.stringify({ text: randomBytes(780_000).toString('base64') });
      const large = deliveryOf('evt_1', { body });
      await log.open([large, deliveryOf('evt_2')]);
      expect((await reader.bodyOf(large)) === body).toBe(true);
      expect(await reader.bodyOf(deliveryOf('evt_2'))).toBe('{"of":"evt_2"}');
    });

    it('lists what was attempted, though it was never opened', async () => {
      const { log, reader } = await create();
      await log.record(attemptAt(3, 500));
      expect(await listedIn(reader)).toEqual([{ id: 'evt_1', latest: 4, deliveredAt: undefined }]);
    });

    it('leaves what is listed as it is when the event is routed again', async () => {
      const { log, reader } = await create();
      await log.open([deliveryOf('evt_1')]);
      await log.record(attemptAt(0, 200));
      await log.open([deliveryOf('evt_1')]);
      expect(await listedIn(reader)).toEqual([
        { id: 'evt_1', latest: 1, deliveredAt: '2026-11-20T12:00:00.040Z' },
      ]);
      expect(await reader.bodyOf(deliveryOf('evt_1'))).toBe('{"of":"evt_1"}');
    });

    it('lists the latest attempt, whichever is recorded last', async () => {
      const { log, reader } = await create();
      await log.record(attemptAt(1, 504));
      await log.record(attemptAt(7, 500));
      await log.record(attemptAt(3, 504));
      expect(await listedIn(reader)).toMatchObject([{ latest: 8 }]);
    });

    it('knows what was delivered, whatever is attempted after it', async () => {
      const { log, reader } = await create();
      await log.record(attemptAt(0, 500));
      expect(await log.wasDelivered(deliveryOf('evt_1'))).toBe(false);
      await log.record(attemptAt(1, 200));
      expect(await log.wasDelivered(deliveryOf('evt_1'))).toBe(true);
      await log.record(attemptAt(2, 500));
      await log.record(attemptAt(3, 204));
      expect(await log.wasDelivered(deliveryOf('evt_1'))).toBe(true);
      expect(await listedIn(reader)).toEqual([
        { id: 'evt_1', latest: 4, deliveredAt: '2026-11-20T12:01:00.040Z' },
      ]);
    });

    it('knows what was delivered by an attempt that is recorded late', async () => {
      const { log, reader } = await create();
      await log.open([deliveryOf('evt_1')]);
      await log.record(attemptAt(5, 500));
      await log.record(attemptAt(2, 200));
      expect(await log.wasDelivered(deliveryOf('evt_1'))).toBe(true);
      expect(await listedIn(reader)).toEqual([
        { id: 'evt_1', latest: 6, deliveredAt: '2026-11-20T12:02:00.040Z' },
      ]);
    });

    it('takes no event for delivered because another was', async () => {
      const { log } = await create();
      await log.open([deliveryOf('evt_1'), deliveryOf('evt_2')]);
      await log.record(attemptAt(0, 200));
      const ofAnother = deliveryOf('evt_1', { integration: 'another' });
      for (const other of [deliveryOf('evt_2'), deliveryOf('evt_3'), ofAnother]) {
        expect(await log.wasDelivered(other)).toBe(false);
      }
    });
  });

deliveryLogContract('memory', async () => {
  const log = new InMemoryDeliveryLog();
  return { log, reader: log };
});

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  const logOver = (client: DynamoDBDocumentClient, table: string): DeliveryLog =>
    new DynamoDbDeliveryLog(client, table, {
      retentionDays: 30,
      deadlineMs: 8_000,
      now: () => NOON,
    });

  const create = async () => {
    const table = await tables.createTable('integration', 'entry');
    const items = async () => {
      const scan = new ScanCommand({ TableName: table, ConsistentRead: true });
      return (await tables.client.send(scan)).Items ?? [];
    };
    return { table, log: logOver(tables.client, table), items };
  };

  deliveryLogContract('a table', async () => {
    const { table, log } = await create();
    return {
      log,
      reader: new DynamoDbDeliveryLogReader(tables.client, table, { now: () => NOON }),
    };
  });

  it('keeps everything of a delivery for 30 days, its body with it', async () => {
    const { log, items } = await create();
    await log.open([deliveryOf('evt_1', { body: 'x'.repeat(800_000) })]);
    await log.record(attemptAt(0, 200));
    const kept = await items();
    expect(kept.map(({ entry }) => String(entry).replace(/[0-9a-f]{64}/, '<hash>'))).toEqual([
      '2026-11-20T12:00:00.000Z#evt_1',
      'attempt#evt_1#2026-11-20T12:00:00.000Z#1',
      'body#event#evt_1#<hash>#0',
      'body#event#evt_1#<hash>#1',
      'body#event#evt_1#<hash>#2',
      'event#evt_1',
    ]);
    const in30Days = Date.parse('2026-12-20T12:00:00Z') / 1_000;
    expect(kept.map(({ expiresAt }) => expiresAt)).toEqual(kept.map(() => in30Days));
  });

  it('lists events by when they occurred, whichever offset that is written with', async () => {
    const { log, items } = await create();
    const event = { ...anEventReference('evt_1'), occurredAt: '2026-11-20T13:30:00+02:00' };
    await log.open([deliveryOf('evt_1', { event })]);
    const [listed] = await items();
    expect(listed).toMatchObject({ entry: '2026-11-20T11:30:00.000Z#evt_1', reference: event });
  });

  it('leaves nothing of a late success of an integration that is cleared away meanwhile', async () => {
    const { table, log, items } = await create();
    await log.record(attemptAt(5, 500));
    const clearing = beforeUpdate(2, tables.client, () => log.purgePage(INTEGRATION));
    await logOver(clearing, table).record(attemptAt(2, 200));
    const left = (await items()).filter(({ expiresAt }) => expiresAt === undefined);
    expect(left).toEqual([]);
  });

  it('writes what DynamoDB leaves undone of a batch', async () => {
    const { table, items } = await create();
    await logOver(leavingUndone(tables.client, table), table).open([
      deliveryOf('evt_1'),
      deliveryOf('evt_2'),
    ]);
    const bodies = (await items()).map(({ body }) => body).filter((body) => body !== undefined);
    expect(bodies).toEqual(['{"of":"evt_1"}', '{"of":"evt_2"}']);
  });
});

/** A client that waits for `happening` before it sends its nth update. */
const beforeUpdate = (
  nth: number,
  client: DynamoDBDocumentClient,
  happening: () => Promise<unknown>,
): DynamoDBDocumentClient => {
  let updates = 0;
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    if (command instanceof UpdateCommand) updates += 1;
    if (command instanceof UpdateCommand && updates === nth) await happening();
    return client.send(command);
  };
  return { send } as unknown as DynamoDBDocumentClient;
};

/** A client whose batches DynamoDB answers with all items undone, as when it throttles. */
const leavingUndone = (client: DynamoDBDocumentClient, table: string): DynamoDBDocumentClient => {
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) =>
    command instanceof BatchWriteCommand
      ? { UnprocessedItems: { [table]: command.input.RequestItems?.[table] } }
      : client.send(command);
  return { send } as unknown as DynamoDBDocumentClient;
};
