import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import type { IntegrationKey } from '../../core/integration/integration.ts';
import type {
  EveryIntegration,
  IntegrationLists,
  IntegrationWriter,
  StorePart,
} from '../../core/integration/integration-store.ts';
import { InMemoryIntegrations } from '../support/integration/in-memory-integrations.ts';
import { aConfig } from '../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../support/integration/integrations.ts';

type Port = Pick<IntegrationLists, 'pageOf'> & EveryIntegration & Pick<IntegrationWriter, 'add'>;

/**
 * Ids in their order, which is by character codes. `ADDED` has the order in which they are added.
 */
const IN_ORDER = ['000000000001', '00000000000A', 'A00000000000', 'Zz0000000000', 'a00000000000'];
const ADDED = [3, 0, 4, 2, 1].map((index) => IN_ORDER[index] ?? '');

const integrationPagesContract = (name: string, create: () => Promise<Port>) =>
  describe(`${name} as the pages of an account's integrations`, () => {
    const createWithSome = async () => {
      const integrations = await create();
      for (const id of ADDED) await integrations.add(anIntegration({ id }));
      for (const id of ['000000000000', 'B00000000000', 'z00000000000']) {
        await integrations.add(anIntegration({ id, account: 'globex' }));
      }
      return async (limit: number, after?: string) =>
        (await integrations.pageOf('acme', { limit, after })).map(({ id }) => id);
    };

    it('begin with the lowest id, and are in the order of ids', async () => {
      const idsOf = await createWithSome();
      expect(await idsOf(100)).toEqual(IN_ORDER);
      expect(await idsOf(2)).toEqual(IN_ORDER.slice(0, 2));
    });

    it('go on after an id, to the end', async () => {
      const idsOf = await createWithSome();
      expect(await idsOf(2, IN_ORDER[1])).toEqual(IN_ORDER.slice(2, 4));
      expect(await idsOf(2, IN_ORDER[3])).toEqual(IN_ORDER.slice(4));
    });

    it('are full when they end with the last id, and then empty', async () => {
      const idsOf = await createWithSome();
      expect(await idsOf(5)).toEqual(IN_ORDER);
      expect(await idsOf(3, IN_ORDER[1])).toEqual(IN_ORDER.slice(2));
      expect(await idsOf(3, IN_ORDER[4])).toEqual([]);
    });

    it('go on after an id that is not there any more', async () => {
      const idsOf = await createWithSome();
      expect(await idsOf(1, '00000000000B')).toEqual(['A00000000000']);
    });

    it('have integrations as they are stored', async () => {
      const integrations = await create();
      await integrations.add(anIntegration({ active: false }));
      expect(await integrations.pageOf('acme', { limit: 1 })).toEqual([
        anIntegration({ active: false }),
      ]);
    });

    it('are full although more is asked for than a table answers at once', async () => {
      const integrations = await create();
      const config = aConfig({ clientSecret: 'x'.repeat(200_000) });
      const ids = Array.from({ length: 9 }, (_, index) => `00000000000${index}`);
      for (const id of ids) {
        await integrations.add(anIntegration({ id, config }));
      }
      const page = await integrations.pageOf('acme', { limit: 8 });
      expect(page.map(({ id }) => id)).toEqual(ids.slice(0, 8));
    });
  });

const MANY = Array.from({ length: 11 }, (_, index) => ({
  account: `a-${index % 3}`,
  id: `${100_000_000_000 + index}`,
}));

const everyIntegrationContract = (name: string, create: () => Promise<Port>) =>
  describe(`${name} as the integrations of all accounts`, () => {
    /** Larger than 1 MB together: no table answers all at once. */
    const createWithMany = async () => {
      const integrations = await create();
      const config = aConfig({ clientSecret: 'x'.repeat(200_000) });
      for (const key of MANY) {
        await integrations.add(anIntegration({ ...key, config }));
      }
      return integrations;
    };

    const restOf = async (integrations: Port, after?: IntegrationKey, part?: StorePart) => {
      const pages = [await integrations.pageOfAll(after, part)];
      for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
        pages.push(await integrations.pageOfAll(next, part));
      }
      return pages.map((page) => page.integrations.map(({ account, id }) => ({ account, id })));
    };

    it('are each once in several pages', async () => {
      const pages = await restOf(await createWithMany());
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(MANY);
    });

    it('are each in one of the parts', async () => {
      const integrations = await createWithMany();
      const parts: IntegrationKey[][] = [];
      for (const index of [0, 1, 2]) {
        parts.push((await restOf(integrations, undefined, { index, of: 3 })).flat());
      }
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(MANY.length);
      expect(parts.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(MANY);
    });

    it('go on after any of them', async () => {
      const integrations = await createWithMany();
      const all = (await restOf(integrations)).flat();
      expect((await restOf(integrations, all[6])).flat()).toEqual(all.slice(7));
    });
  });

for (const contract of [integrationPagesContract, everyIntegrationContract]) {
  contract('memory', async () => new InMemoryIntegrations());
}

describe('DynamoDB', () => {
  const tables = useTables();

  for (const contract of [integrationPagesContract, everyIntegrationContract]) {
    contract('a table', async () => {
      const table = await tables.createTable('account', 'id');
      return new DynamoDbIntegrationWriter(tables.client, table);
    });
  }
});
