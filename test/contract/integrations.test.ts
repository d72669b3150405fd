import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbIdempotencyRecords } from '../../adapters/dynamodb/directory/idempotency-records.ts';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import type { IdempotencyRecords } from '../../core/integration/idempotency.ts';
import type { IntegrationReader } from '../../core/integration/integration.ts';
import type {
  IntegrationLists,
  IntegrationWriter,
} from '../../core/integration/integration-store.ts';
import { InMemoryIdempotencyRecords } from '../support/integration/in-memory-idempotency-records.ts';
import { InMemoryIntegrations } from '../support/integration/in-memory-integrations.ts';
import { aConfig } from '../support/integration/in-memory-secrets.ts';
import { anIntegration, byAdaAt } from '../support/integration/integrations.ts';

type Port = Pick<IntegrationReader, 'find'> &
  Pick<IntegrationLists, 'listOf'> &
  Pick<IntegrationLists, 'pageOf'> &
  Pick<IntegrationLists, 'countOf'> &
  Pick<IntegrationWriter, 'add'> &
  Pick<IntegrationWriter, 'replace' | 'remove'>;

const DELETED = byAdaAt('2026-11-21T08:00:00.000Z');

const integrationsContract = (name: string, create: () => Promise<Port>) =>
  describe(`${name} as the store of integrations`, () => {
    it('finds what was just added, as it was', async () => {
      const integrations = await create();
      const integration = anIntegration({
        description: 'Orders, production 👋',
        config: aConfig({
          baseUrl: 'https://hooks.example.com/grüße?a=1',
          clientSecret: 'ключ 👋',
          headers: { 'X-Api-Key': 'of a gateway', Authorization: 'Bearer of another' },
          previousSecrets: [
            { secret: 'of yesterday', expiresAt: '2026-11-21T12:00:00.000Z' },
            { secret: 'of the day before', expiresAt: '2026-11-20T12:00:00.000Z' },
          ],
        }),
        trouble: {
          kind: 'failed',
          since: '2026-11-20T12:00:00.000Z',
          statusCode: 500,
          lastAttemptAt: '2026-11-20T12:00:00.000Z',
          nextAttemptAt: '2026-11-20T13:00:00.000Z',
        },
      });
      expect(await integrations.add(integration)).toBe('added');
      expect(await integrations.find('acme', integration.id)).toEqual(integration);
    });

    it('keeps an integration whose optional members are undefined', async () => {
      const integrations = await create();
      const { config } = anIntegration();
      await integrations.add(anIntegration({ config: { ...config, clientSecret: undefined } }));
      expect(await integrations.find('acme', anIntegration().id)).toEqual(anIntegration());
    });

    it('finds nothing under an unknown id', async () => {
      const integrations = await create();
      expect(await integrations.find('acme', 'unknown00000')).toBeUndefined();
    });

    it('finds nothing of another account', async () => {
      const integrations = await create();
      await integrations.add(anIntegration({ account: 'acme' }));
      expect(await integrations.find('globex', anIntegration().id)).toBeUndefined();
      expect(await integrations.listOf('globex')).toEqual([]);
    });

    it('distinguishes ids by case', async () => {
      const integrations = await create();
      await integrations.add(anIntegration({ id: 'aaaaaaaaaaaa' }));
      expect(await integrations.find('acme', 'AAAAAAAAAAAA')).toBeUndefined();
    });

    it('leaves an integration as it is when its id is added again', async () => {
      const integrations = await create();
      await integrations.add(anIntegration());
      expect(await integrations.add(anIntegration({ active: false }))).toBe('exists');
      expect(await integrations.find('acme', anIntegration().id)).toEqual(anIntegration());
    });

    it('adds an id once when it is added side by side', async () => {
      const integrations = await create();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => integrations.add(anIntegration())),
      );
      expect(answers.filter((answer) => answer === 'added')).toHaveLength(1);
    });

    it('lists the integrations of an account, active or not', async () => {
      const integrations = await create();
      const first = anIntegration({ id: 'aaaaaaaaaaaa' });
      const second = anIntegration({ id: 'bbbbbbbbbbbb', active: false });
      await integrations.add(first);
      await integrations.add(second);
      await integrations.add(anIntegration({ id: 'cccccccccccc', account: 'globex' }));
      const listed = await integrations.listOf('acme');
      expect(listed.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([first, second]);
    });

    it('counts the integrations of an account, active or not', async () => {
      const integrations = await create();
      expect(await integrations.countOf('acme')).toBe(0);
      await integrations.add(anIntegration({ id: 'aaaaaaaaaaaa' }));
      await integrations.add(anIntegration({ id: 'bbbbbbbbbbbb', active: false }));
      await integrations.add(anIntegration({ id: 'cccccccccccc', account: 'globex' }));
      expect(await integrations.countOf('acme')).toBe(2);
    });

    it('lists and counts more integrations than fit into one page of answers', async () => {
      const integrations = await create();
      const baseUrl = `https://hooks.example.com/${'x'.repeat(200_000)}`;
      const ids = Array.from({ length: 8 }, (_, index) => `00000000000${index}`);
      for (const id of ids) {
        const { config } = anIntegration();
        await integrations.add(anIntegration({ id, config: { ...config, baseUrl } }));
      }
      const listed = await integrations.listOf('acme');
      expect(listed.map(({ id }) => id).toSorted()).toEqual(ids);
      expect(await integrations.countOf('acme')).toBe(ids.length);
    });

    describe('an integration of epoch 4', () => {
      const before = anIntegration({
        epoch: 4,
        streak: { since: '2026-11-20T11:59:00.000Z', transients: 3, refusals: 1 },
        config: aConfig({ clientSecret: 'to be taken away' }),
        trouble: {
          kind: 'failed',
          since: '2026-11-20T12:00:00.000Z',
          reason: 'the connection was refused',
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
  });

integrationsContract('memory', async () => new InMemoryIntegrations());

interface KeyedStores {
  readonly integrations: Port;
  readonly idempotency: IdempotencyRecords;
}

const keyedContract = (name: string, create: () => Promise<KeyedStores>) =>
  describe(`an integration with an idempotency key in ${name}`, () => {
    const KEYED = anIntegration({ idempotencyKey: 'key-1' });
    const { account, id: integration } = KEYED;
    const RECORD = {
      account,
      key: 'key-1',
      bodyHash: 'a hash',
      integration,
      expiresAt: new Date('2026-11-22T12:00:00.000Z'),
    };

    it('is added while the key stands for it, once', async () => {
      const { integrations, idempotency } = await create();
      await idempotency.claim(RECORD);
      expect(await integrations.add(KEYED)).toBe('added');
      expect(await integrations.add(KEYED)).toBe('exists');
      expect(await integrations.find(account, integration)).toEqual(KEYED);
    });

    it.each<[string, (records: IdempotencyRecords) => Promise<unknown>]>([
      ['was never claimed', async () => {}],
      [
        'was released',
        async (records) => {
          await records.claim(RECORD);
          await records.release(RECORD);
        },
      ],
      [
        'was forgotten',
        async (records) => {
          await records.claim(RECORD);
          await records.forget(RECORD);
        },
      ],
      [
        'stands for another',
        (records) => records.claim({ ...RECORD, integration: 'bbbbbbbbbbbb' }),
      ],
      ['is of another account', (records) => records.claim({ ...RECORD, account: 'globex' })],
    ])('is not added when the key %s', async (_case, prepare) => {
      const { integrations, idempotency } = await create();
      await prepare(idempotency);
      expect(await integrations.add(KEYED)).toBe('unclaimed');
      expect(await integrations.find(account, integration)).toBeUndefined();
    });
  });

const NOON = new Date('2026-11-21T12:00:00.000Z');

keyedContract('memory', async () => {
  const integrations = new InMemoryIntegrations();
  const idempotency = new InMemoryIdempotencyRecords(() => NOON);
  integrations.claims = idempotency;
  return { integrations, idempotency };
});

describe('DynamoDB', () => {
  const tables = useTables();

  integrationsContract('a table', async () => {
    const table = await tables.createTable('account', 'id');
    return new DynamoDbIntegrationWriter(tables.client, table);
  });

  keyedContract('two tables', async () => {
    const directoryTable = await tables.createTable('pk', 'sk');
    const table = await tables.createTable('account', 'id');
    const options = { now: () => NOON };
    return {
      integrations: new DynamoDbIntegrationWriter(tables.client, table, { directoryTable }),
      idempotency: new DynamoDbIdempotencyRecords(tables.client, directoryTable, options),
    };
  });

  it('finds as many at once as a batch has', async () => {
    const table = await tables.createTable('account', 'id');
    const integrations = new DynamoDbIntegrationWriter(tables.client, table);
    const keys = Array.from({ length: 200 }, (_, index) => ({ account: 'acme', id: `id${index}` }));
    const stored = [0, 99, 100, 199].map((index) => anIntegration({ id: `id${index}` }));
    for (const integration of stored) await integrations.add(integration);
    const found = await integrations.findAll(keys);
    expect(found).toHaveLength(200);
    expect([found[0], found[99], found[100], found[199]]).toEqual(stored);
  });

  it('fails for a table that does not exist', async () => {
    const integrations = new DynamoDbIntegrationWriter(tables.client, 'no-such-table');
    await expect(integrations.find('acme', 'x')).rejects.toThrow();
    await expect(integrations.pageOf('acme', { limit: 1 })).rejects.toThrow();
    await expect(integrations.countOf('acme')).rejects.toThrow();
    await expect(integrations.add(anIntegration())).rejects.toThrow();
    await expect(integrations.replace(anIntegration(), anIntegration())).rejects.toThrow();
    await expect(integrations.remove(anIntegration(), DELETED)).rejects.toThrow();
  });
});
