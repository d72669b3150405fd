import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbIdempotencyRecords } from '../../adapters/dynamodb/directory/idempotency-records.ts';
import { DynamoDbIntegrationWriter } from '../../adapters/dynamodb/integrations/integration-writer.ts';
import type { IdempotencyRecords } from '../../core/integration/idempotency.ts';
import type { IntegrationReader } from '../../core/integration/integration.ts';
import type { IntegrationWriter } from '../../core/integration/integration-store.ts';
import { InMemoryIdempotencyRecords } from '../support/integration/in-memory-idempotency-records.ts';
import { InMemoryIntegrations } from '../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../support/integration/integrations.ts';

interface KeyedStores {
  readonly integrations: Pick<IntegrationReader, 'find'> & Pick<IntegrationWriter, 'add'>;
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

  keyedContract('two tables', async () => {
    const directoryTable = await tables.createTable('pk', 'sk');
    const table = await tables.createTable('account', 'id');
    const options = { now: () => NOON };
    return {
      integrations: new DynamoDbIntegrationWriter(tables.client, table, { directoryTable }),
      idempotency: new DynamoDbIdempotencyRecords(tables.client, directoryTable, options),
    };
  });
});
