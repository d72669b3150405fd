import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbIdempotencyRecords } from '../../adapters/dynamodb/directory/idempotency-records.ts';
import type { AccountRemovalPorts } from '../../core/directory/count-account.ts';
import type { IdempotencyRecord, IdempotencyRecords } from '../../core/integration/idempotency.ts';
import { InMemoryIdempotencyRecords } from '../support/integration/in-memory-idempotency-records.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');
const TOMORROW = new Date('2026-11-21T12:00:00.000Z');

const aRecord = (overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  account: 'acme',
  key: 'key/1#?',
  bodyHash: 'aa'.repeat(32),
  integration: 'aaaaaaaaaaaa',
  expiresAt: TOMORROW,
  ...overrides,
});

const idempotencyContract = (
  name: string,
  create: (now: () => Date) => Promise<IdempotencyRecords & AccountRemovalPorts['idempotency']>,
) =>
  describe(`${name} as the store of idempotency records`, () => {
    it('gives the first record to whom claims a key again', async () => {
      const records = await create(() => NOON);
      await records.claim(aRecord());
      const later = aRecord({ bodyHash: 'bb'.repeat(32), integration: 'bbbbbbbbbbbb' });
      expect(await records.claim(later)).toEqual(aRecord());
    });

    it('gives whom claims a key again the secret that was made first, or none', async () => {
      const records = await create(() => NOON);
      await records.claim(aRecord({ madeSecret: 'wrapped' }));
      await records.claim(aRecord({ key: 'another' }));
      const later = aRecord({ madeSecret: 'wrapped later' });
      expect(await records.claim(later)).toEqual(aRecord({ madeSecret: 'wrapped' }));
      expect(await records.claim({ ...later, key: 'another' })).toEqual(
        aRecord({ key: 'another' }),
      );
    });

    it('keeps the keys of accounts apart', async () => {
      const records = await create(() => NOON);
      await records.claim(aRecord());
      const other = aRecord({ account: 'globex', integration: 'bbbbbbbbbbbb' });
      expect(await records.claim(other)).toEqual(other);
    });

    it('gives a key one record when it is claimed side by side', async () => {
      const records = await create(() => NOON);
      const claims = ['a', 'b', 'c', 'd'].map((letter) =>
        records.claim(aRecord({ integration: letter.repeat(12) })),
      );
      const winners = new Set((await Promise.all(claims)).map(({ integration }) => integration));
      expect(winners.size).toBe(1);
    });

    const OTHERS = [
      aRecord({ account: 'globex' }),
      aRecord({ key: 'another' }),
      aRecord({ integration: 'bbbbbbbbbbbb' }),
    ];

    it('says to a later claim that the key was released', async () => {
      const records = await create(() => NOON);
      await records.claim(aRecord());
      await records.release(aRecord());
      const later = aRecord({ bodyHash: 'bb'.repeat(32), integration: 'bbbbbbbbbbbb' });
      expect(await records.claim(later)).toEqual(aRecord({ isReleased: true }));
    });

    it('frees a key that is forgotten, released before or not', async () => {
      for (const isReleased of [true, false]) {
        const records = await create(() => NOON);
        await records.claim(aRecord());
        if (isReleased) await records.release(aRecord());
        await records.forget(aRecord());
        const later = aRecord({ integration: 'bbbbbbbbbbbb' });
        expect(await records.claim(later)).toEqual(later);
      }
    });

    it.each(OTHERS)(
      'keeps a key when that of another is released or forgotten: %j',
      async (other) => {
        const records = await create(() => NOON);
        await records.claim(aRecord());
        await records.release(other);
        await records.forget(other);
        expect(await records.claim(aRecord({ integration: 'cccccccccccc' }))).toEqual(aRecord());
      },
    );

    it('makes no record of a key that is released', async () => {
      const records = await create(() => NOON);
      await records.release(aRecord());
      const later = aRecord({ integration: 'bbbbbbbbbbbb' });
      expect(await records.claim(later)).toEqual(later);
    });

    it('removes all records of an account, and none of another', async () => {
      const records = await create(() => NOON);
      const keys = Array.from({ length: 30 }, (_, index) => `key ${index}`);
      for (const key of keys) await records.claim(aRecord({ key }));
      await records.claim(aRecord({ account: 'acme2' }));
      await records.removeAllOf('acme');
      const [key] = keys;
      const later = { integration: 'bbbbbbbbbbbb' };
      expect(await records.claim(aRecord({ key, ...later }))).toMatchObject(later);
      expect(await records.claim(aRecord({ account: 'acme2', ...later }))).toEqual(
        aRecord({ account: 'acme2' }),
      );
    });

    it('forgets that an expired record was released', async () => {
      let now = NOON;
      const records = await create(() => now);
      await records.claim(aRecord());
      await records.release(aRecord());
      now = TOMORROW;
      const later = aRecord({ expiresAt: new Date(TOMORROW.getTime() + 86_400_000) });
      await records.claim(later);
      expect(await records.claim(aRecord())).toEqual(later);
    });

    it('frees a key when its record expires, before the record is deleted', async () => {
      let now = NOON;
      const records = await create(() => now);
      await records.claim(aRecord());
      now = new Date(TOMORROW.getTime() - 1_000);
      const later = aRecord({ integration: 'bbbbbbbbbbbb' });
      expect(await records.claim(later)).toMatchObject({ integration: 'aaaaaaaaaaaa' });
      now = TOMORROW;
      expect(await records.claim(later)).toMatchObject({ integration: 'bbbbbbbbbbbb' });
    });
  });

idempotencyContract('memory', async (now) => new InMemoryIdempotencyRecords(now));

describe('DynamoDB', () => {
  const tables = useTables();

  idempotencyContract('the directory', async (now) => {
    const table = await tables.createTable('pk', 'sk');
    return new DynamoDbIdempotencyRecords(tables.client, table, { now });
  });

  it('lets the table delete a record once it has expired', async () => {
    const TableName = await tables.createTable('pk', 'sk');
    const records = new DynamoDbIdempotencyRecords(tables.client, TableName, { now: () => NOON });
    await records.claim(aRecord());
    const { Item } = await tables.client.send(
      new GetCommand({ TableName, Key: idempotencyKey('acme', 'key/1#?') }),
    );
    expect(Item?.expiresAt).toBe(TOMORROW.getTime() / 1_000);
  });
});
