import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbAttemptHistory } from '../../adapters/dynamodb/dynamodb-attempt-history.ts';
import { DynamoDbAttemptLog } from '../../adapters/dynamodb/dynamodb-attempt-log.ts';
import type { Attempt, AttemptHistory, AttemptLog } from '../../core/delivery/attempt.ts';
import { classify } from '../../core/delivery/outcome.ts';
import { type EmulatedTables, startTables } from '../support/emulated-tables.ts';
import { InMemoryAttemptHistory } from '../support/in-memory-attempt-history.ts';
import { InMemoryAttemptLog } from '../support/in-memory-attempt-log.ts';
import { anEventReference } from '../support/platform-events.ts';

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
  readonly log: AttemptLog;
  readonly history: AttemptHistory;
  /** The integration of each attempt that is kept. */
  kept(): Promise<string[]>;
}

const attemptHistoryContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the history of attempts`, () => {
    it('says that nothing is left when there was nothing', async () => {
      const { history } = await create();
      expect(await history.purgePage(INTEGRATION)).toBe(true);
    });

    it('purges a short history at once, and no other integration’s', async () => {
      const { log, history, kept } = await create();
      const other = attempts(2, 'bbbbbbbbbbbb');
      for (const attempt of [...attempts(3), ...other]) await log.record(attempt);
      expect(await history.purgePage(INTEGRATION)).toBe(true);
      expect(await kept()).toEqual(['bbbbbbbbbbbb', 'bbbbbbbbbbbb']);
    });

    it('purges a long history page by page, and says when nothing is left', async () => {
      const { log, history, kept } = await create();
      await Promise.all(attempts(250).map((attempt) => log.record(attempt)));
      let left = 250;
      for (let isEmpty = false; !isEmpty; ) {
        isEmpty = await history.purgePage(INTEGRATION);
        const { length } = await kept();
        expect(length < left || isEmpty).toBe(true);
        expect(isEmpty && length > 0).toBe(false);
        left = length;
      }
      expect(left).toBe(0);
    });
  });

attemptHistoryContract('memory', async () => {
  const log = new InMemoryAttemptLog();
  return {
    log,
    history: new InMemoryAttemptHistory(log),
    kept: async () => log.attempts.map(({ integration }) => integration),
  };
});

describe('DynamoDB', () => {
  let tables: EmulatedTables;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  attemptHistoryContract('a table', async () => {
    const TableName = await tables.createTable('integration', 'attempt');
    return {
      log: new DynamoDbAttemptLog(tables.client, TableName, { retentionDays: 30 }),
      history: new DynamoDbAttemptHistory(tables.client, TableName),
      kept: async () => {
        const { Items = [] } = await tables.client.send(new ScanCommand({ TableName }));
        return Items.map(({ integration }) => integration);
      },
    };
  });

  it('tells of a table that does not exist', async () => {
    const history = new DynamoDbAttemptHistory(tables.client, 'no-such-table');
    await expect(history.purgePage(INTEGRATION)).rejects.toThrow();
  });
});
