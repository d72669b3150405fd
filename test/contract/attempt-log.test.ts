import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbAttemptLog } from '../../adapters/dynamodb/dynamodb-attempt-log.ts';
import type { Attempt, AttemptLog } from '../../core/delivery/attempt.ts';
import { classify } from '../../core/delivery/outcome.ts';
import { type EmulatedTables, startTables } from '../support/emulated-tables.ts';
import { InMemoryAttemptLog } from '../support/in-memory-attempt-log.ts';

const anAttempt = (wishes: Partial<Attempt> = {}): Attempt => ({
  account: 'acme',
  integration: '0123456789Ab',
  event: { id: 'evt_1', type: 'message.received', occurredAt: '2026-11-20T11:00:00Z' },
  number: 1,
  trigger: 'event',
  startedAt: new Date('2026-11-20T12:00:00.123Z'),
  durationMs: 87,
  outcome: classify({ kind: 'answered', statusCode: 200, responseStart: 'Danke 👋' }),
  ...wishes,
});

interface Subject {
  readonly log: AttemptLog;
  /** What identifies each attempt that is kept. */
  kept(): Promise<{ event: string; number: number }[]>;
}

const attemptLogContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the delivery log`, () => {
    it('keeps every attempt, those of one instant too', async () => {
      const { log, kept } = await create();
      await log.record(anAttempt());
      await log.record(anAttempt({ event: { ...anAttempt().event, id: 'evt_2' } }));
      await log.record(anAttempt({ number: 2 }));
      const identities = (await kept()).map(({ event, number }) => `${event} ${number}`);
      expect(identities.toSorted()).toEqual(['evt_1 1', 'evt_1 2', 'evt_2 1']);
    });
  });

attemptLogContract('memory', async () => {
  const log = new InMemoryAttemptLog();
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

  const create = async () => {
    const TableName = await tables.createTable('integration', 'attempt');
    const log = new DynamoDbAttemptLog(tables.client, TableName, { retentionDays: 30 });
    const items = async () =>
      (await tables.client.send(new ScanCommand({ TableName }))).Items ?? [];
    return { log, items };
  };

  attemptLogContract('a table', async () => {
    const { log, items } = await create();
    return {
      log,
      kept: async () => (await items()).map(({ eventId, number }) => ({ event: eventId, number })),
    };
  });

  it('keeps what an answered attempt came to, for 30 days', async () => {
    const { log, items } = await create();
    await log.record(anAttempt({ number: 3, trigger: 'backoff' }));
    expect(await items()).toEqual([
      {
        integration: '0123456789Ab',
        attempt: '2026-11-20T12:00:00.123Z#evt_1#3',
        account: 'acme',
        eventId: 'evt_1',
        eventType: 'message.received',
        number: 3,
        trigger: 'backoff',
        startedAt: '2026-11-20T12:00:00.123Z',
        durationMs: 87,
        outcome: 'delivered',
        statusCode: 200,
        response: 'Danke 👋',
        expiresAt: Date.parse('2026-12-20T12:00:00Z') / 1_000,
      },
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
    await log.record(anAttempt({ number: 1, outcome: classify(refused) }));
    await log.record(anAttempt({ number: 2, outcome: classify(slow) }));
    const [first, second] = await items();
    expect(first).toMatchObject({
      outcome: 'transient',
      reason: 'connection-refused',
      code: 'ECONNREFUSED',
    });
    expect(second).toMatchObject({ outcome: 'transient', reason: 'response-timeout' });
    expect(second).not.toHaveProperty('code');
  });

  it('orders an integration’s attempts by time', async () => {
    const { log, items } = await create();
    const instants = [
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T11:59:59.999Z',
      '2026-11-21T00:00:00.000Z',
    ];
    for (const instant of instants) await log.record(anAttempt({ startedAt: new Date(instant) }));
    expect((await items()).map(({ startedAt }) => startedAt)).toEqual(instants.toSorted());
  });
});
