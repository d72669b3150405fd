import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import { tokenKey } from '../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/directory/tokens.ts';
import type {
  IssuedToken,
  TokenCredentials,
  TokenList,
} from '../../core/directory/access-token.ts';
import type { AccessTokens } from '../../core/directory/authenticate.ts';
import { inMemoryDirectory } from '../support/directory/in-memory-directory.ts';

interface Tokens {
  readonly list: TokenList;
  readonly credentials: TokenCredentials;
  readonly accessTokens: AccessTokens;
}

const REVOKED_AT = new Date('2026-11-20T12:00:00.000Z');
const EXPIRES_AT = new Date('2026-11-21T12:00:00.000Z');
const LATER = '2026-11-20T13:00:00.000Z';

const tokenOf = (number: number): IssuedToken => ({
  id: `tok_${number}`,
  name: 'a test',
  hash: `${number}`.padStart(64, '0'),
  user: 'ada',
  account: 'acme',
  role: 'admin',
  createdAt: REVOKED_AT.toISOString(),
});

/** More than DynamoDB writes at once. */
const MANY = Array.from({ length: 30 }, (_, number) => tokenOf(number));
const OTHER = tokenOf(99);

const erasedTokensContract = (name: string, create: () => Promise<Tokens>) =>
  describe(`tokens that are erased in ${name}`, () => {
    it('are listed no more, also when they are marked as revoked later', async () => {
      const { list } = await create();
      for (const token of [...MANY, OTHER]) await list.add(token);
      await list.remove(MANY);
      await list.markRevoked(tokenOf(1), LATER);
      expect(await list.listOf('acme')).toEqual([OTHER]);
    });

    it('let nobody in, whether their credential was added or is added later', async () => {
      const { credentials, accessTokens } = await create();
      await credentials.add(OTHER);
      for (const token of MANY.slice(0, 15)) await credentials.add(token);
      await credentials.erase(MANY, { revokedAt: REVOKED_AT, expiresAt: EXPIRES_AT });
      for (const token of MANY.slice(15)) expect(await credentials.add(token)).toBe('exists');
      await credentials.revoke(tokenOf(1), LATER);
      for (const { hash } of MANY) expect(await accessTokens.findPrincipal(hash)).toBeUndefined();
      expect(await accessTokens.findPrincipal(OTHER.hash)).toBeDefined();
    });
  });

erasedTokensContract('memory', async () => {
  const directory = inMemoryDirectory();
  return { ...directory, accessTokens: directory.credentials };
});

describe('DynamoDB', () => {
  const tables = useTables();

  erasedTokensContract('the Directory table', async () => {
    const table = await tables.createTable('pk', 'sk');
    return {
      ...administrationPorts(tables.client, table),
      accessTokens: new DynamoDbAccessTokens(tables.client, table),
    };
  });

  it('keeps of an erased token when it ended, until the table deletes that', async () => {
    const TableName = await tables.createTable('pk', 'sk');
    const { credentials } = administrationPorts(tables.client, TableName);
    await credentials.add(OTHER);
    await credentials.erase([OTHER], { revokedAt: REVOKED_AT, expiresAt: EXPIRES_AT });
    const key = tokenKey(OTHER.hash);
    const { Item } = await tables.client.send(new GetCommand({ TableName, Key: key }));
    expect(Item).toEqual({
      ...key,
      revokedAt: REVOKED_AT.toISOString(),
      expiresAt: EXPIRES_AT.getTime() / 1_000,
    });
  });
});
