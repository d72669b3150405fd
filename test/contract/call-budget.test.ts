import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { dynamoDbCallBudget } from '../../adapters/dynamodb/directory/call-budget.ts';
import { DirectoryItems } from '../../adapters/dynamodb/directory/directory-items.ts';
import type { CallBudget } from '../../core/directory/call-budget.ts';
import { InMemoryCallBudget } from '../support/directory/in-memory-call-budget.ts';

const LIMIT = 3;
const BEGIN = new Date('2026-11-20T12:30:00.000Z');
const END = new Date('2026-11-20T12:30:59.999Z');
const NEXT = new Date('2026-11-20T12:31:00.000Z');

type Create = (options: { now: () => Date; callsPerMinute: number }) => Promise<CallBudget>;

const spent = async (budget: CallBudget, account: string, calls: number): Promise<number> => {
  const answers = await Promise.all(Array.from({ length: calls }, () => budget.spend(account)));
  return answers.filter(Boolean).length;
};

const budgetContract = (name: string, create: Create) =>
  describe(`${name} as the budget of costly calls`, () => {
    it('is used up by calls side by side, and full in the next minute', async () => {
      let now = BEGIN;
      const budget = await create({ now: () => now, callsPerMinute: LIMIT });

      expect(await spent(budget, 'acme', 10)).toBe(LIMIT);
      now = END;
      expect(await spent(budget, 'acme', 1)).toBe(0);
      now = NEXT;
      expect(await spent(budget, 'acme', 10)).toBe(LIMIT);
    });

    it('is each account’s own', async () => {
      const budget = await create({ now: () => BEGIN, callsPerMinute: LIMIT });
      await spent(budget, 'acme', 10);

      expect(await spent(budget, 'globex', 10)).toBe(LIMIT);
    });
  });

budgetContract('memory', async (options) => new InMemoryCallBudget(options));

describe('DynamoDB', () => {
  const tables = useTables();

  budgetContract('table Directory', async (options) =>
    dynamoDbCallBudget(
      new DirectoryItems(tables.client, await tables.createTable('pk', 'sk')),
      options,
    ),
  );

  it('deletes what it has counted after the minute', async () => {
    const table = await tables.createTable('pk', 'sk');
    const items = new DirectoryItems(tables.client, table);
    const budget = dynamoDbCallBudget(items, { now: () => END, callsPerMinute: LIMIT });
    await budget.spend('acme');
    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));
    // DynamoDB counts in seconds.
    expect(Items.map(({ expiresAt }) => expiresAt)).toEqual([NEXT.getTime() / 1_000]);
  });
});
