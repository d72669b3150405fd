import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/dynamodb-delivery-log.ts';
import { type Attempt, classify } from '../../core/delivery/attempt.ts';
import type { DeliveryLog } from '../../core/delivery/delivery-log.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import { InMemoryDeliveryLog } from '../support/delivery/in-memory-delivery-log.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = '0123456789Ab';

const attempts = (count: number, integration = INTEGRATION): Attempt[] =>
  Array.from({ length: count }, (_, index) => ({
    account: 'acme',
    integration,
    event: anEventReference(`evt_${index}`),
    number: 1,
    trigger: 'event',
    startedAt: new Date(Date.UTC(2026, 10, 20, 12, 0, index)),
    durationMs: 87,
    outcome: classify({ kind: 'answered', statusCode: 200, responseStart: 'x'.repeat(1_024) }),
  }));

interface Subject {
  readonly log: DeliveryLog;
  /** The integration of each stored entry. */
  kept(): Promise<string[]>;
}

const purgeContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as what is kept of an integration`, () => {
    it('says that nothing is left when there was nothing', async () => {
      const { log } = await create();
      expect(await log.purgePage(INTEGRATION)).toBe(true);
    });

    it('purges a short log at once, and no other integration’s', async () => {
      const { log, kept } = await create();
      const other = attempts(2, 'bbbbbbbbbbbb');
      for (const attempt of [...attempts(3), ...other]) await log.record(attempt);
      expect(await log.purgePage(INTEGRATION)).toBe(true);
      expect(new Set(await kept())).toEqual(new Set(['bbbbbbbbbbbb']));
    });

    it('purges deliveries without an attempt, and the largest bodies', async () => {
      const { log, kept } = await create();
      await log.open([aDelivery({ body: 'x'.repeat(1_000_000) })]);
      expect(await kept()).not.toEqual([]);
      for (let isEmpty = false; !isEmpty; ) isEmpty = await log.purgePage(INTEGRATION);
      expect(await kept()).toEqual([]);
    });

    it('purges a long log page by page, and says when nothing is left', async () => {
      const { log, kept } = await create();
      await Promise.all(attempts(250).map((attempt) => log.record(attempt)));
      let left = (await kept()).length;
      expect(left).toBeGreaterThanOrEqual(250);
      for (let isEmpty = false; !isEmpty; ) {
        isEmpty = await log.purgePage(INTEGRATION);
        const { length } = await kept();
        expect(length < left || isEmpty).toBe(true);
        expect(isEmpty && length > 0).toBe(false);
        left = length;
      }
      expect(left).toBe(0);
    });
  });

purgeContract('memory', async () => {
  const log = new InMemoryDeliveryLog();
  return {
    log,
    kept: async () => [...log.attempts, ...log.deliveries].map(({ integration }) => integration),
  };
});

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  const options = {
    retentionDays: 30,
    deadlineMs: 8_000,
    now: () => new Date('2026-11-20T12:00:00Z'),
  };

  purgeContract('a table', async () => {
    const TableName = await tables.createTable('integration', 'entry');
    return {
      log: new DynamoDbDeliveryLog(tables.client, TableName, options),
      kept: async () => {
        const { Items = [] } = await tables.client.send(new ScanCommand({ TableName }));
        return Items.map(({ integration }) => integration);
      },
    };
  });

  it('tells of a table that does not exist', async () => {
    const log = new DynamoDbDeliveryLog(tables.client, 'no-such-table', options);
    await expect(log.purgePage(INTEGRATION)).rejects.toThrow();
  });
});
