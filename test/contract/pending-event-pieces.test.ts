import { randomBytes, randomUUID } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/dynamodb-pending-events.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PendingEvent, PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;

const deliveryOf = (id: string, occurredAt: string, body = '{}'): Delivery =>
  aDelivery({ event: { ...anEventReference(id), occurredAt }, body });

/** A body of nearly 1 MiB has three pieces, so that storing the event takes four writes. */
const large = deliveryOf('evt_1', '2026-11-20T12:00:00Z', randomBytes(785_000).toString('base64'));

describe('pending events too large for one item', () => {
  let tables: EmulatedTables;
  let table: string;
  let pending: PendingEvents;
  beforeAll(async () => {
    tables = await startTables();
  });
  beforeEach(async () => {
    table = await tables.createTable('partition', 'entry');
    pending = over(tables.client);
  });
  afterAll(() => tables.stop());

  const over = (client: DynamoDBDocumentClient) =>
    new DynamoDbPendingEvents(client, table, { newVersion: randomUUID });

  const theOldest = async (): Promise<PendingEvent> => {
    const [oldest] = await pending.oldest(INTEGRATION, 1);
    if (oldest === undefined) throw new Error('nothing is pending');
    return oldest;
  };

  const idsOf = (some: readonly PendingEvent[]) => some.map(({ delivery }) => delivery.event.id);

  const itemCount = async () =>
    (await tables.client.send(new ScanCommand({ TableName: table }))).Items?.length ?? 0;

  describe('a process that dies on its way', () => {
    const dying = (mayWrite: number) => over(afterWrites(mayWrite, tables.client));
    const WRITES_OF_1_MIB = [0, 1, 2, 3];

    it.each(WRITES_OF_1_MIB)(
      'after %i writes has stored nothing, and nothing spoilt',
      async (n) => {
        await pending.put(deliveryOf('evt_0', '2026-11-20T11:00:00Z'), A_MESSAGE);
        await expect(dying(n).put(large, A_MESSAGE)).rejects.toThrow('died');
        expect(idsOf(await pending.oldest(INTEGRATION, 100))).toEqual(['evt_0']);
        await pending.put(large, A_MESSAGE);
        const [, kept] = await pending.oldest(INTEGRATION, 100);
        expect(kept?.delivery.body === large.body).toBe(true);
      },
    );

    it.each(WRITES_OF_1_MIB)(
      'after %i writes of a second storing has spoilt nothing',
      async (n) => {
        await pending.put(large, A_MESSAGE);
        await expect(dying(n).put(large, A_MESSAGE)).rejects.toThrow('died');
        const kept = await theOldest();
        expect(kept.delivery.body === large.body).toBe(true);
      },
    );

    it.each(WRITES_OF_1_MIB)(
      'after %i writes of a storing leaves nothing behind once the delivery is removed',
      async (n) => {
        await expect(dying(n).put(large, A_MESSAGE)).rejects.toThrow('died');
        await pending.removeOf(large, A_MESSAGE);
        expect(await itemCount()).toBe(0);
      },
    );

    it.each(WRITES_OF_1_MIB)(
      'after %i writes of a storing again leaves nothing behind once it is stored and removed',
      async (n) => {
        await pending.put(large, A_MESSAGE);
        const read = await theOldest();
        await expect(dying(n).put(large, A_MESSAGE)).rejects.toThrow('died');
        await pending.removeAsRead(read);
        await pending.put(large, A_MESSAGE);
        await pending.removeAsRead(await theOldest());
        expect(await itemCount()).toBe(0);
      },
    );

    it('in removing, has the next reader end it', async () => {
      await pending.put(large, A_MESSAGE);
      await pending.put(deliveryOf('evt_2', '2026-11-20T13:00:00Z'), A_MESSAGE);
      await expect(dying(2).removeAsRead(await theOldest())).rejects.toThrow('died');
      expect(idsOf(await pending.oldest(INTEGRATION, 1))).toEqual(['evt_2']);
      await pending.removeAsRead(await theOldest());
      expect(await itemCount()).toBe(0);
    });

    it('in removing, takes nothing from an event that is stored again', async () => {
      await pending.put(large, A_MESSAGE);
      await expect(dying(2).removeOf(large, A_MESSAGE)).rejects.toThrow('died');
      await pending.put(large, A_MESSAGE);
      expect((await theOldest()).delivery.body === large.body).toBe(true);
    });
  });

  it('takes nothing from an event that is stored again while it is removed', async () => {
    for (let round = 0; round < 10; round += 1) {
      await pending.put(large, A_MESSAGE);
      const read = await theOldest();
      await Promise.all([
        pending.removeAsRead(read),
        pending.oldest(INTEGRATION, 1),
        pending.put(large, A_MESSAGE),
      ]);
      expect((await theOldest()).delivery.body === large.body).toBe(true);
    }
  });
});

/** A client whose process dies at the write after `mayWrite` writes, when these are done. */
const afterWrites = (mayWrite: number, client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
  const written: Promise<unknown>[] = [];
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    const isWrite = command instanceof PutCommand || command instanceof DeleteCommand;
    if (isWrite && written.length === mayWrite) {
      await Promise.all(written);
      throw new Error('died');
    }
    const sent = client.send(command);
    if (isWrite) written.push(sent);
    return sent;
  };
  return { send } as unknown as DynamoDBDocumentClient;
};
