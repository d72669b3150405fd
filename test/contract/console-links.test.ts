import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { dynamoDbConsoleLinks } from '../../adapters/dynamodb/directory/console-links.ts';
import { DirectoryItems } from '../../adapters/dynamodb/directory/directory-items.ts';
import type { ConsoleLink, ConsoleLinks } from '../../core/directory/console-link.ts';
import { InMemoryConsoleLinks } from '../support/directory/in-memory-console-links.ts';

const BEFORE = new Date('2026-11-20T12:00:59.999Z');
const END = new Date('2026-11-20T12:01:00.000Z');

const LINK: ConsoleLink = {
  hash: 'aa'.repeat(32),
  account: 'acme',
  user: 'Ada Lovelace',
  role: 'admin',
  validUntil: END.toISOString(),
  sessionEndsAt: '2026-11-20T16:00:00.000Z',
};
const OTHER: ConsoleLink = { ...LINK, hash: 'bb'.repeat(32), account: 'globex', isOfUser: true };

const linksContract = (name: string, create: () => Promise<ConsoleLinks>) =>
  describe(`${name} as the links to the console`, () => {
    it('gives a link to one of many callers', async () => {
      const links = await create();
      await links.add(LINK);
      await links.add(OTHER);

      const taken = await Promise.all(
        Array.from({ length: 10 }, () => links.take(LINK.hash, BEFORE)),
      );

      expect(taken.filter((link) => link !== undefined)).toEqual([LINK]);
      expect(await links.take(OTHER.hash, BEFORE)).toEqual(OTHER);
    });

    it('gives none that is too late, and none that there is not', async () => {
      const links = await create();
      await links.add(LINK);

      expect(await links.take(LINK.hash, END)).toBeUndefined();
      expect(await links.take(OTHER.hash, BEFORE)).toBeUndefined();
    });
  });

linksContract('memory', async () => new InMemoryConsoleLinks());

describe('DynamoDB', () => {
  const tables = useTables();
  const create = async () =>
    new DirectoryItems(tables.client, await tables.createTable('pk', 'sk'));

  linksContract('table Directory', async () => dynamoDbConsoleLinks(await create()));

  it('may delete a link once it is invalid', async () => {
    const items = await create();
    await dynamoDbConsoleLinks(items).add(LINK);

    const { Items } = await tables.client.send(new ScanCommand({ TableName: items.table }));
    expect(Items).toMatchObject([{ expiresAt: END.getTime() / 1_000 }]);
  });
});
