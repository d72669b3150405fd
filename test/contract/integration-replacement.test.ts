import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import type { IntegrationReader } from '../../core/integration/integration.ts';
import type {
  IntegrationLists,
  IntegrationWriter,
} from '../../core/integration/integration-store.ts';
import { InMemoryIntegrations } from '../support/integration/in-memory-integrations.ts';
import { aConfig } from '../support/integration/in-memory-secrets.ts';
import { anIntegration, byAdaAt } from '../support/integration/integrations.ts';

type Port = Pick<IntegrationReader, 'find'> & Pick<IntegrationLists, 'listOf'> & IntegrationWriter;

const DELETED = byAdaAt('2026-11-21T08:00:00.000Z');

const replacementContract = (name: string, create: () => Promise<Port>) =>
  describe(`an integration of epoch 4 in ${name}`, () => {
    const before = anIntegration({
      epoch: 4,
      streak: { since: '2026-11-20T11:59:00.000Z', transients: 3, refusals: 1 },
      config: aConfig({ clientSecret: 'to be taken away' }),
      trouble: {
        kind: 'failed',
        since: '2026-11-20T12:00:00.000Z',
        reason: 'connection-refused',
        lastAttemptAt: '2026-11-20T12:00:00.000Z',
        nextAttemptAt: '2026-11-20T13:00:00.000Z',
      },
    });
    const after = anIntegration({
      ...{ epoch: 5, active: false, revision: 2 },
      inactiveSince: '2026-11-20T12:30:00.000Z',
    });

    const createWithIt = async () => {
      const integrations = await create();
      await integrations.add(before);
      const find = () => integrations.find(before.account, before.id);
      return { integrations, find };
    };

    it('is replaced whole by who read it so', async () => {
      const { integrations, find } = await createWithIt();
      expect(await integrations.replace(after, before)).toBe(true);
      expect(await find()).toEqual(after);
    });

    it('may have a header of any name', async () => {
      const names = Object.getOwnPropertyNames(Object.prototype).filter(
        (name) => name !== '__proto__',
      );
      for (const some of [names, ...names.map((name) => [name])]) {
        const headers = Object.fromEntries(some.map((name) => [name, `secret of ${name}`]));
        const named = anIntegration({ config: aConfig({ headers }) });
        const integrations = await create();
        await integrations.add(named);
        expect(await integrations.find(named.account, named.id)).toEqual(named);
        const replaced = { ...named, active: false };
        expect(await integrations.replace(replaced, named)).toBe(true);
        expect(await integrations.find(named.account, named.id)).toEqual(replaced);
      }
    });

    it('loses the members that it no longer has when it is replaced again', async () => {
      const { integrations, find } = await createWithIt();
      await integrations.replace(after, before);
      const active = anIntegration({ epoch: 7, revision: 3 });
      expect(await integrations.replace(active, after)).toBe(true);
      expect(await find()).toEqual(active);
    });

    it('keeps what others write at any time when it is replaced', async () => {
      const integrations = await create();
      const kept = {
        confirmedAt: '2026-11-20T11:59:00.000Z',
        slowness: { score: 12, notedAt: '2026-11-20T11:59:00.000Z' },
        setAside: 2,
        remindedAt: '2026-11-20T11:59:00.000Z',
      };
      await integrations.add({ ...before, ...kept });
      expect(await integrations.replace({ ...after, setAside: 1 }, before)).toBe(true);
      expect(await integrations.find(before.account, before.id)).toEqual({ ...after, ...kept });
    });

    it.each([3, 5])('is not replaced by who read epoch %i', async (epoch) => {
      const { integrations, find } = await createWithIt();
      expect(await integrations.replace(after, { ...before, epoch })).toBe(false);
      expect(await find()).toEqual(before);
    });

    it('is not replaced by a caller that read it before its trouble', async () => {
      const { integrations, find } = await createWithIt();
      const { trouble: _, ...untroubled } = before;
      expect(await integrations.replace(after, untroubled)).toBe(false);
      expect(await find()).toEqual(before);
    });

    it('is replaced once when it is replaced side by side', async () => {
      const { integrations } = await createWithIt();
      const replaced = await Promise.all(
        Array.from({ length: 5 }, () => integrations.replace(after, before)),
      );
      expect(replaced.filter((wasReplaced) => wasReplaced)).toHaveLength(1);
    });

    it('is removed by who read it so', async () => {
      const { integrations, find } = await createWithIt();
      const other = anIntegration({ id: 'bbbbbbbbbbbb', epoch: 4 });
      await integrations.add(other);
      expect(await integrations.remove(before, DELETED)).toBe(true);
      expect(await find()).toBeUndefined();
      expect(await integrations.listOf(before.account)).toEqual([other]);
    });

    it.each([3, 5])('is not removed by who read epoch %i', async (epoch) => {
      const { integrations, find } = await createWithIt();
      expect(await integrations.remove({ ...before, epoch }, DELETED)).toBe(false);
      expect(await find()).toEqual(before);
    });

    it('is not replaced once it is gone', async () => {
      const { integrations, find } = await createWithIt();
      await integrations.remove(before, DELETED);
      expect(await integrations.replace(after, before)).toBe(false);
      expect(await find()).toBeUndefined();
    });

    it('is gone, too, for who removes it again', async () => {
      const { integrations } = await createWithIt();
      await integrations.remove(before, DELETED);
      expect(await integrations.remove(before, DELETED)).toBe(true);
    });
  });

replacementContract('memory', async () => new InMemoryIntegrations());

describe('DynamoDB', () => {
  const tables = useTables();

  replacementContract('a table', async () => {
    const table = await tables.createTable('account', 'id');
    return new DynamoDbIntegrationWriter(tables.client, table);
  });
});
