import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/dynamodb-delivery-log.ts';
import type { DeliveryLog } from '../../core/delivery/delivery-log.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { InMemoryDeliveryLog } from '../support/delivery/in-memory-delivery-log.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { anEventReference } from '../support/event/platform-events.ts';

const eventOf = (id: string) => ({ ...anEventReference(id), occurredAt: '2026-11-20T11:00:00Z' });

interface Subject {
  readonly log: Pick<DeliveryLog, 'record'>;
  /** Identifies each stored attempt. */
  kept(): Promise<{ event: string; number: number }[]>;
}

const attemptLogContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the delivery log`, () => {
    it('keeps every attempt, those of one instant too', async () => {
      const { log, kept } = await create();
      await log.record(anAttempt({ event: eventOf('evt_1') }));
      await log.record(anAttempt({ event: eventOf('evt_2') }));
      await log.record(anAttempt({ event: eventOf('evt_1'), number: 2 }));
      const identities = (await kept()).map(({ event, number }) => `${event} ${number}`);
      expect(identities.toSorted()).toEqual(['evt_1 1', 'evt_1 2', 'evt_2 1']);
    });

    it('keeps an attempt once that is recorded again after a lost answer', async () => {
      const { log, kept } = await create();
      await log.record(anAttempt());
      await log.record(anAttempt());
      expect(await kept()).toHaveLength(1);
    });
  });

attemptLogContract('memory', async () => {
  const log = new InMemoryDeliveryLog();
  return {
    log,
    kept: async () => log.attempts.map(({ event, number }) => ({ event: event.id, number })),
  };
});

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  /** `items` finds items by the beginning of the sort key. */
  const create = async () => {
    const TableName = await tables.createTable('integration', 'entry');
    const log = new DynamoDbDeliveryLog(tables.client, TableName, {
      retentionDays: 30,
      deadlineMs: 8_000,
      now: () => new Date(),
    });
    const items = async (prefix: string) => {
      const { Items = [] } = await tables.client.send(new ScanCommand({ TableName }));
      return Items.filter(({ entry }) => entry.startsWith(prefix));
    };
    return { log, items };
  };

  attemptLogContract('a table', async () => {
    const { log, items } = await create();
    return {
      log,
      kept: async () =>
        (await items('attempt#')).map(({ reference, number }) => ({ event: reference.id, number })),
    };
  });

  it('keeps what an answered attempt came to, for 30 days', async () => {
    const { log, items } = await create();
    const attempt = anAttempt(
      {
        event: eventOf('evt_1'),
        number: 3,
        trigger: 'backoff',
        startedAt: new Date('2026-11-20T12:00:00.123Z'),
        nextAttemptAt: new Date('2026-11-20T12:01:00.210Z'),
      },
      answered(504, 'Bitte später 👋'),
    );
    await log.record(attempt);
    const entry = {
      integration: attempt.integration,
      account: 'acme',
      reference: attempt.event,
      expiresAt: Date.parse('2026-12-20T12:00:00Z') / 1_000,
    };
    const stored = {
      number: 3,
      trigger: 'backoff',
      startedAt: '2026-11-20T12:00:00.123Z',
      durationMs: 40,
      outcome: 'transient',
      statusCode: 504,
      nextAttemptAt: '2026-11-20T12:01:00.210Z',
    };
    expect(await items('attempt#')).toEqual([
      {
        ...entry,
        entry: 'attempt#evt_1#2026-11-20T12:00:00.123Z#3',
        ...stored,
        response: 'Bitte später 👋',
      },
    ]);
    expect(await items('2026')).toEqual([
      { ...entry, entry: '2026-11-20T11:00:00.000Z#evt_1', latestAttempt: stored },
    ]);
  });

  it('keeps the reason of an attempt without an answer, with the system’s code if there is one', async () => {
    const { log, items } = await create();
    const refused = {
      kind: 'unanswered',
      reason: 'connection-refused',
      code: 'ECONNREFUSED',
    } as const;
    const slow = { kind: 'unanswered', reason: 'response-timeout' } as const;
    await log.record(anAttempt({ number: 1 }, refused));
    await log.record(anAttempt({ number: 2 }, slow));
    const [first, second] = await items('attempt#');
    expect(first).toMatchObject({
      outcome: 'transient',
      reason: 'connection-refused',
      code: 'ECONNREFUSED',
    });
    expect(second).toMatchObject({ outcome: 'transient', reason: 'response-timeout' });
    expect(second).not.toHaveProperty('code');
  });

  it('orders the attempts of a delivery by time', async () => {
    const { log, items } = await create();
    const instants = [
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T11:59:59.999Z',
      '2026-11-21T00:00:00.000Z',
    ];
    for (const instant of instants) await log.record(anAttempt({ startedAt: new Date(instant) }));
    const attempts = await items('attempt#');
    expect(attempts.map(({ startedAt }) => startedAt)).toEqual(instants.toSorted());
  });
});
