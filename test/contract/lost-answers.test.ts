import { describe, expect, it } from 'vitest';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/integrations/trouble-states.ts';
import type { Integration } from '../../core/integration/integration.ts';
import {
  busy,
  failed,
  streakless,
  trouble,
  untroubled,
  useTroubleTables,
} from '../support/adapters/trouble-state-subjects.ts';
import { losingFirstAnswer } from '../support/adapters/watched-client.ts';
import { anIntegration, byAdaAt } from '../support/integration/integrations.ts';

const { tables, createWith } = useTroubleTables();

describe('a write of an integration whose first answer is lost', () => {
  const stored = anIntegration({ epoch: 4 });
  const changed = anIntegration({ epoch: 6, revision: 2, active: false });

  const aTable = async (...integrations: Integration[]) => {
    const table = await tables.createTable('account', 'id');
    const store = new DynamoDbIntegrationWriter(tables.client, table);
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

  it('has added what it added with an idempotency key', async () => {
    const [table, directoryTable] = [
      await tables.createTable('account', 'id'),
      await tables.createTable('pk', 'sk'),
    ];
    const store = new DynamoDbIntegrationWriter(tables.client, table, { directoryTable });
    const { account, id: integration } = stored;
    const expiresAt = new Date('2026-11-21T12:00:00.000Z');
    const record = { account, key: 'key-1', bodyHash: 'a hash', integration, expiresAt };
    expect(await losing(() => store.add(stored, { record, replaced: undefined }))).toBe('added');
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
    const states = new DynamoDbTroubleStates(tables.client, table);
    const replaced = await losingFirstAnswer(tables.client, () => store.replace(changed, stored), {
      meanwhile: () => states.begin(changed, trouble()),
    });
    expect(replaced).toBe(true);
    expect(await find()).toEqual({ ...changed, trouble: trouble() });
  });

  it('has removed what it removed', async () => {
    const { store, find } = await aTable(stored);
    expect(await losing(() => store.remove(stored, byAdaAt(stored.updatedAt)))).toBe(true);
    expect(await find()).toBeUndefined();
  });
});

describe('a write of a trouble whose first answer is lost', () => {
  const AT = new Date('2026-11-20T12:00:01.000Z');

  const inATable = async (stored: Integration) => {
    const { states, find } = await createWith(stored);
    const losing = <Result>(action: () => Promise<Result>) =>
      losingFirstAnswer(tables.client, action);
    return { states, find, losing };
  };

  it('has ended the streak of a busy integration, and tells so', async () => {
    const { states, find, losing } = await inATable(busy);
    expect(await losing(() => states.confirm(busy, AT))).toBe(true);
    expect(await find()).toMatchObject({
      confirmedAt: AT.toISOString(),
      trouble: { kind: 'waiting' },
    });
  });

  it('has ended the streak of an integration that was not busy, and tells so', async () => {
    const { states, find, losing } = await inATable(untroubled);
    expect(await losing(() => states.confirm(untroubled, AT))).toBe(false);
    expect(await find()).toEqual({ ...streakless, confirmedAt: AT.toISOString() });
  });

  it('has made a failed one waiting by a success, and tells so', async () => {
    const { states, find, losing } = await inATable(failed);
    expect(await losing(() => states.recover(failed, { confirmedAt: AT }))).toBe(true);
    expect(await find()).toMatchObject({
      trouble: { kind: 'waiting' },
      confirmedAt: AT.toISOString(),
    });
  });

  it('has made it waiting when a later success is known', async () => {
    const known = { ...failed, confirmedAt: '2026-11-20T13:00:00.000Z' };
    const { states, losing } = await inATable(known);
    expect(await losing(() => states.recover(known, { confirmedAt: AT }))).toBe(true);
  });

  it('has not made it waiting if an earlier success did so meanwhile', async () => {
    const { states, losing } = await inATable(failed);
    await states.recover(failed, { confirmedAt: new Date('2026-11-20T11:00:00.000Z') });
    expect(await losing(() => states.recover(failed, { confirmedAt: AT }))).toBe(false);
  });

  it('has begun the trouble', async () => {
    const { states, find, losing } = await inATable(untroubled);
    expect(await losing(() => states.begin(untroubled, trouble()))).toBe(true);
    expect(await find()).toEqual(failed);
  });

  it('has noted how slow an endpoint is, once', async () => {
    const { states, find, losing } = await inATable(untroubled);
    const slowness = { score: 12, notedAt: AT.toISOString() };
    await losing(() => states.noteSlowness(untroubled, slowness));
    expect(await find()).toEqual({ ...untroubled, slowness });
  });
});
