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

type Port = Pick<IntegrationReader, 'find'> &
  Pick<IntegrationLists, 'listOf' | 'countOf'> &
  Pick<IntegrationWriter, 'add'>;

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

    it('lists and counts the integrations of an account, active or not', async () => {
      const integrations = await create();
      expect(await integrations.countOf('acme')).toBe(0);
      const first = anIntegration({ id: 'aaaaaaaaaaaa' });
      const second = anIntegration({ id: 'bbbbbbbbbbbb', active: false });
      await integrations.add(first);
      await integrations.add(second);
      await integrations.add(anIntegration({ id: 'cccccccccccc', account: 'globex' }));
      const listed = await integrations.listOf('acme');
      expect(listed.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([first, second]);
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
  });

integrationsContract('memory', async () => new InMemoryIntegrations());

describe('DynamoDB', () => {
  const tables = useTables();

  integrationsContract('a table', async () => {
    const table = await tables.createTable('account', 'id');
    return new DynamoDbIntegrationWriter(tables.client, table);
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
    await expect(
      integrations.remove(anIntegration(), byAdaAt('2026-11-21T08:00:00.000Z')),
    ).rejects.toThrow();
  });
});
