import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbIdempotencyRecords } from '../../adapters/dynamodb/dynamodb-idempotency-records.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/dynamodb-trouble-states.ts';
import type { Integration } from '../../core/integration/integration.ts';
import { type EmulatedTables, startTables } from '../support/adapters/emulated-tables.ts';
import { losingFirstAnswer } from '../support/adapters/lost-answers.ts';
import { anIntegration } from '../support/integration/integrations.ts';

let tables: EmulatedTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

describe('a write of an integration whose first answer is lost', () => {
  const stored = anIntegration({ epoch: 4 });
  const changed = anIntegration({ epoch: 6, revision: 2, active: false });

  const aTable = async (...integrations: Integration[]) => {
    const table = await tables.createTable('account', 'id');
    const store = new DynamoDbIntegrations(tables.client, table);
    for (const integration of integrations) await store.add(integration);
    const find = () => store.find(stored.account, stored.id);
    return { store, table, find };
  };
  const losing = <Result>(action: () => Promise<Result>) =>
    losingFirstAnswer(tables.client, action);

  it('has added what it added', async () => {
    const { store, find } = await aTable();
    expect(await losing(() => store.add(stored))).toBe('added');
    expect(await find()).toEqual(stored);
  });

  it('has not added what somebody else added, though it is the same', async () => {
    const { store } = await aTable(stored);
    expect(await losing(() => store.add(stored))).toBe('exists');
  });

  it('has replaced what it replaced', async () => {
    const { store, find } = await aTable(stored);
    expect(await losing(() => store.replace(changed, stored))).toBe(true);
    expect(await find()).toEqual(changed);
  });

  it('has not replaced what somebody else replaced in the same millisecond', async () => {
    const { store } = await aTable(stored);
    await store.replace(changed, stored);
    expect(await losing(() => store.replace(changed, stored))).toBe(false);
  });

  it('has replaced an integration whose trouble began meanwhile', async () => {
    const { store, table, find } = await aTable(stored);
    const trouble = {
      kind: 'busy',
      since: '2026-11-20T12:00:00.000Z',
      reason: 'the connection was refused',
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: '2026-11-20T13:00:00.000Z',
    } as const;
    const states = new DynamoDbTroubleStates(tables.client, table);
    const replaced = await losingFirstAnswer(tables.client, () => store.replace(changed, stored), {
      meanwhile: () => states.begin(changed, trouble),
    });
    expect(replaced).toBe(true);
    expect(await find()).toEqual({ ...changed, trouble });
  });

  it('has removed what it removed', async () => {
    const { store, find } = await aTable(stored);
    expect(await losing(() => store.remove(stored))).toBe(true);
    expect(await find()).toBeUndefined();
  });
});

describe('an idempotency record whose claim loses its first answer', () => {
  it('is the claimer’s', async () => {
    const table = await tables.createTable('pk', 'sk');
    const now = () => new Date('2026-11-20T12:00:00.000Z');
    const records = new DynamoDbIdempotencyRecords(tables.client, table, { now });
    const record = {
      account: 'acme',
      key: 'key-1',
      bodyHash: 'aa'.repeat(32),
      integration: 'aaaaaaaaaaaa',
      expiresAt: new Date('2026-11-21T12:00:00.000Z'),
    };
    expect(await losingFirstAnswer(tables.client, () => records.claim(record))).toEqual(record);
  });
});
