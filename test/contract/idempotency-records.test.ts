import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbIdempotencyRecords } from '../../adapters/dynamodb/directory/idempotency-records.ts';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import type { AccountRemovalPorts } from '../../core/directory/count-account.ts';
import type { IdempotencyRecord, IdempotencyRecords } from '../../core/integration/idempotency.ts';
import type { IntegrationReader } from '../../core/integration/integration.ts';
import type { IntegrationWriter } from '../../core/integration/integration-store.ts';
import { InMemoryIdempotencyRecords } from '../support/integration/in-memory-idempotency-records.ts';
import { InMemoryIntegrations } from '../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../support/integration/integrations.ts';

const TOMORROW = new Date('2026-11-21T12:00:00.000Z');

const aRecord = (overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  account: 'acme',
  key: 'key/1#?',
  bodyHash: 'aa'.repeat(32),
  integration: 'aaaaaaaaaaaa',
  expiresAt: TOMORROW,
  ...overrides,
});

interface KeyedStores {
  readonly integrations: Pick<IntegrationReader, 'find'> & Pick<IntegrationWriter, 'add'>;
  readonly records: IdempotencyRecords & AccountRemovalPorts['idempotency'];
}

const keyedContract = (name: string, create: () => Promise<KeyedStores>) =>
  describe(`integrations with idempotency keys in ${name}`, () => {
    const storesWith = async (...stored: IdempotencyRecord[]) => {
      const { integrations, records } = await create();
      const add = (record: IdempotencyRecord, replaced?: IdempotencyRecord) => {
        const { account, integration: id } = record;
        return integrations.add(anIntegration({ account, id }), { record, replaced });
      };
      for (const record of stored) expect(await add(record)).toBe('added');
      return { integrations, records, add };
    };

    it.each([aRecord(), aRecord({ madeSecret: 'wrapped' })])(
      'are added with the record: %j',
      async (record) => {
        const { integrations, records } = await storesWith(record);
        expect(await records.find('acme', record.key)).toEqual(record);
        expect(await integrations.find('acme', record.integration)).toBeDefined();
      },
    );

    it.each([
      aRecord({ integration: 'bbbbbbbbbbbb' }),
      aRecord({ key: 'of another call, which has drawn the same id' }),
    ])('are not added, nor the record, if one of them is there: %j', async (later) => {
      const { integrations, records, add } = await storesWith(aRecord());
      expect(await add(later)).toBe('exists');
      expect(await records.find('acme', aRecord().key)).toEqual(aRecord());
      expect(await records.find('acme', 'of another call')).toBeUndefined();
      expect(await integrations.find('acme', 'bbbbbbbbbbbb')).toBeUndefined();
    });

    it('replace the record that was found', async () => {
      const { records, add } = await storesWith(aRecord());
      const later = aRecord({ integration: 'bbbbbbbbbbbb' });
      expect(await add(later, aRecord())).toBe('added');
      expect(await records.find('acme', later.key)).toEqual(later);
      expect(await add(aRecord({ integration: 'cccccccccccc' }), aRecord())).toBe('exists');
    });

    it('are added once for a key, side by side', async () => {
      const { add } = await storesWith();
      const adding = ['a', 'b', 'c', 'd'].map((letter) =>
        add(aRecord({ integration: letter.repeat(12) })),
      );
      expect((await Promise.all(adding)).filter((answer) => answer === 'added')).toHaveLength(1);
    });

    it('have keys of their account', async () => {
      const { records } = await storesWith(aRecord());
      expect(await records.find('globex', aRecord().key)).toBeUndefined();
    });

    it('lose all records of an account, and none of another', async () => {
      const ids = Array.from({ length: 30 }, (_, index) => `id${String(index).padStart(10, '0')}`);
      const ofAcme = ids.map((id) => aRecord({ key: id, integration: id }));
      const other = aRecord({ account: 'acme2' });
      const { records } = await storesWith(...ofAcme, other);
      await records.removeAllOf('acme');
      expect(await Promise.all(ids.map((id) => records.find('acme', id)))).toEqual(
        ids.map(() => undefined),
      );
      expect(await records.find('acme2', other.key)).toEqual(other);
    });
  });

keyedContract('memory', async () => {
  const integrations = new InMemoryIntegrations();
  const records = new InMemoryIdempotencyRecords();
  integrations.records = records;
  return { integrations, records };
});

describe('DynamoDB', () => {
  const tables = useTables();

  const createStores = async () => {
    const directoryTable = await tables.createTable('pk', 'sk');
    const table = await tables.createTable('account', 'id');
    return {
      directoryTable,
      integrations: new DynamoDbIntegrationWriter(tables.client, table, { directoryTable }),
      records: new DynamoDbIdempotencyRecords(tables.client, directoryTable),
    };
  };

  keyedContract('two tables', createStores);

  it('lets the table delete a record once it has expired', async () => {
    const { integrations, directoryTable: TableName } = await createStores();
    await integrations.add(anIntegration(), { record: aRecord(), replaced: undefined });
    const { Item } = await tables.client.send(
      new GetCommand({ TableName, Key: idempotencyKey('acme', 'key/1#?') }),
    );
    expect(Item?.expiresAt).toBe(TOMORROW.getTime() / 1_000);
  });
});
