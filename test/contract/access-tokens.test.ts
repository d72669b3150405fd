import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import { tokenKey } from '../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/directory/tokens.ts';
import type {
  IssuedToken,
  TokenCredentials,
  TokenList,
  TokenUses,
} from '../../core/directory/access-token.ts';
import type { AccessTokens } from '../../core/directory/authenticate.ts';
import { inMemoryDirectory } from '../support/directory/in-memory-directory.ts';

/** The ports that administration writes to, and the port by which functions read the same data. */
interface Tokens {
  readonly list: TokenList;
  readonly credentials: TokenCredentials;
  readonly uses: TokenUses;
  readonly accessTokens: AccessTokens;
}

const AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';
const LATEST = '2026-11-20T14:00:00.000Z';
const TOKEN: IssuedToken = {
  id: 'tok_1',
  name: 'a test',
  hash: 'aa'.repeat(32),
  user: 'ada',
  account: 'acme',
  role: 'admin',
  createdAt: AT,
};
const OTHER: IssuedToken = { ...TOKEN, id: 'tok_2', hash: 'bb'.repeat(32) };
const PRINCIPAL = { user: 'ada', account: 'acme', role: 'admin', token: 'tok_1' };

/** More than DynamoDB writes at once. */
const MANY: readonly IssuedToken[] = Array.from({ length: 30 }, (_, number) => ({
  ...TOKEN,
  id: `tok_m${number}`,
  hash: `${number}`.padStart(64, '0'),
}));
const ERASED = { revokedAt: new Date(AT), expiresAt: new Date('2026-11-21T12:00:00.000Z') };

const tokensContract = (name: string, create: () => Promise<Tokens>) =>
  describe(`access tokens in ${name}`, () => {
    it('lists the tokens of one account alone', async () => {
      const { list } = await create();
      await list.add(TOKEN);
      await list.add({ ...TOKEN, id: 'tok_2', role: 'member' });
      await list.add({ ...TOKEN, id: 'tok_3', account: 'acme-sms' });
      const listed = await list.listOf('acme');
      expect(listed.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
        TOKEN,
        { ...TOKEN, id: 'tok_2', role: 'member' },
      ]);
      expect(await list.listOf('beta')).toEqual([]);
    });

    it('pages through the tokens of an account, greatest id first', async () => {
      const { list } = await create();
      const ids = ['tok_1', 'tok_2', 'tok_3', 'tok_4', 'tok_5'];
      for (const id of ids.toSorted(() => -1)) await list.add({ ...TOKEN, id });
      await list.add({ ...TOKEN, id: 'tok_6', account: 'acme-sms' });
      const pages: string[][] = [];
      let after: string | undefined;
      do {
        const page = await list.pageOf('acme', { limit: 2, after });
        pages.push(page.tokens.map(({ id }) => id));
        after = page.next;
      } while (after !== undefined);
      expect(pages).toEqual([['tok_5', 'tok_4'], ['tok_3', 'tok_2'], ['tok_1']]);
      expect([await list.countOf('acme'), await list.countOf('beta')]).toEqual([5, 0]);
    });

    it('finds a token by its id in its own account only', async () => {
      const { list } = await create();
      await list.add(TOKEN);
      expect(await list.find('acme', 'tok_1')).toEqual(TOKEN);
      expect(await list.find('beta', 'tok_1')).toBeUndefined();
    });

    it('keeps the instant at which a token was listed as revoked first', async () => {
      const { list } = await create();
      await list.add(TOKEN);
      await list.markRevoked(TOKEN, AT);
      await list.markRevoked(TOKEN, LATER);
      expect(await list.find('acme', 'tok_1')).toEqual({ ...TOKEN, revokedAt: AT });
    });

    it('lets a listed token in only when its credential is added', async () => {
      const { list, credentials, accessTokens } = await create();
      await list.add(TOKEN);
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toBeUndefined();
      expect(await credentials.add(TOKEN)).toBe('added');
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toEqual(PRINCIPAL);
    });

    it('knows when a token expires, in the list and by its credential', async () => {
      const { list, credentials, accessTokens } = await create();
      const expiring = { ...TOKEN, expiresAt: LATER };
      await list.add(expiring);
      await credentials.add(expiring);
      await list.markRevoked(expiring, AT);
      expect(await list.find('acme', 'tok_1')).toEqual({ ...expiring, revokedAt: AT });
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toEqual({
        ...PRINCIPAL,
        expiresAt: LATER,
      });
    });

    it('leaves the session of a console link out of pages and of the count', async () => {
      const { list } = await create();
      const ofLink = { ...TOKEN, id: 'ses_2', expiresAt: LATER };
      await list.add(TOKEN);
      await list.add(ofLink);
      expect(await list.listOf('acme')).toEqual([ofLink, TOKEN]);
      expect(await list.pageOf('acme', { limit: 1 })).toEqual({ tokens: [TOKEN] });
      expect(await list.countOf('acme')).toBe(1);
    });

    it('refuses a revoked token, also after a second revocation or addition', async () => {
      const { credentials, accessTokens } = await create();
      await credentials.add(TOKEN);
      await credentials.add(OTHER);
      await credentials.revoke(TOKEN, AT);
      await credentials.revoke(TOKEN, LATER);
      expect(await credentials.add(TOKEN)).toBe('exists');
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toBeUndefined();
      expect(await accessTokens.findPrincipal(OTHER.hash)).toBeDefined();
    });

    it('tells the last uses of many tokens in the order asked for', async () => {
      const { credentials, accessTokens, uses } = await create();
      const hashes = Array.from({ length: 120 }, (_, index) => `${index}`.padStart(64, '0'));
      const used = ['7', '103'].map((number) => number.padStart(64, '0'));
      for (const hash of hashes) await credentials.add({ ...TOKEN, hash });
      for (const hash of used) {
        await accessTokens.noteUse(hash, { usedAt: LATER, unlessAfter: AT });
      }
      expect(await uses.lastUsesOf(hashes)).toEqual(
        hashes.map((hash) => (used.includes(hash) ? LATER : undefined)),
      );
      expect(await uses.lastUsesOf([])).toEqual([]);
    });

    it('still tells the last use of a revoked token', async () => {
      const { credentials, accessTokens, uses } = await create();
      await credentials.add(TOKEN);
      await accessTokens.noteUse(TOKEN.hash, { usedAt: AT, unlessAfter: AT });
      await credentials.revoke(TOKEN, LATER);
      expect(await uses.lastUsesOf([TOKEN.hash])).toEqual([AT]);
    });

    it('does not let in a token that is revoked before its credential is added', async () => {
      const { credentials, accessTokens } = await create();
      await credentials.revoke(TOKEN, AT);
      expect(await credentials.add(TOKEN)).toBe('exists');
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toBeUndefined();
    });

    it('knows when a token was used', async () => {
      const { credentials, accessTokens } = await create();
      await credentials.add(TOKEN);
      await credentials.add(OTHER);
      await accessTokens.noteUse(TOKEN.hash, { usedAt: LATER, unlessAfter: AT });
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toEqual({
        ...PRINCIPAL,
        lastUsedAt: LATER,
      });
      expect(await accessTokens.findPrincipal(OTHER.hash)).toEqual({
        ...PRINCIPAL,
        token: 'tok_2',
      });
    });

    it('notes a use only when none is noted for long', async () => {
      const { credentials, accessTokens } = await create();
      await credentials.add(TOKEN);
      await accessTokens.noteUse(TOKEN.hash, { usedAt: LATER, unlessAfter: AT });
      await accessTokens.noteUse(TOKEN.hash, { usedAt: LATEST, unlessAfter: AT });
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toMatchObject({ lastUsedAt: LATER });
      await accessTokens.noteUse(TOKEN.hash, { usedAt: LATEST, unlessAfter: LATER });
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toMatchObject({ lastUsedAt: LATEST });
    });

    it('notes no use of a token that was never issued', async () => {
      const { accessTokens } = await create();
      await accessTokens.noteUse(TOKEN.hash, { usedAt: LATER, unlessAfter: AT });
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toBeUndefined();
    });

    it('lists erased tokens no more, also when they are marked as revoked later', async () => {
      const { list } = await create();
      for (const token of [...MANY, OTHER]) await list.add(token);
      await list.remove(MANY);
      for (const token of MANY.slice(0, 1)) await list.markRevoked(token, LATER);
      expect(await list.listOf('acme')).toEqual([OTHER]);
    });

    it('refuses erased tokens, whether their credential was added or is added later', async () => {
      const { credentials, accessTokens } = await create();
      await credentials.add(OTHER);
      for (const token of MANY.slice(0, 15)) await credentials.add(token);
      await credentials.erase(MANY, ERASED);
      for (const token of MANY.slice(15)) expect(await credentials.add(token)).toBe('exists');
      for (const token of MANY.slice(0, 1)) await credentials.revoke(token, LATER);
      for (const { hash } of MANY) expect(await accessTokens.findPrincipal(hash)).toBeUndefined();
      expect(await accessTokens.findPrincipal(OTHER.hash)).toBeDefined();
    });
  });

tokensContract('memory', async () => {
  const directory = inMemoryDirectory();
  return { ...directory, accessTokens: directory.credentials };
});

describe('DynamoDB', () => {
  const tables = useTables();

  tokensContract('the Directory table', async () => {
    const table = await tables.createTable('pk', 'sk');
    return {
      ...administrationPorts(tables.client, table),
      accessTokens: new DynamoDbAccessTokens(tables.client, table),
    };
  });

  it('may delete a token 30 days after its end, which a revocation brings forward', async () => {
    const table = await tables.createTable('pk', 'sk');
    const { list, credentials } = administrationPorts(tables.client, table);
    const deletedAt = async () => {
      const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));
      return [...new Set(Items.map((item) => item.expiresAt))];
    };
    const secondsAfter = (instant: string) => Date.parse(instant) / 1_000 + 30 * 86_400;
    const revoke = async (at: string) => {
      await credentials.revoke(TOKEN, at);
      await list.markRevoked(TOKEN, at);
    };
    const expiring = { ...TOKEN, expiresAt: '2030-01-01T00:00:00.000Z' };
    await list.add(expiring);
    await credentials.add(expiring);

    expect(await deletedAt()).toEqual([secondsAfter(expiring.expiresAt)]);
    await revoke(AT);
    await revoke(LATER);
    expect(await deletedAt()).toEqual([secondsAfter(AT)]);
  });

  it('may delete the token of a console link when it expires', async () => {
    const table = await tables.createTable('pk', 'sk');
    const { list, credentials } = administrationPorts(tables.client, table);
    const ofLink = { ...TOKEN, id: 'ses_1', expiresAt: LATER };
    await list.add(ofLink);
    await credentials.add(ofLink);

    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));
    expect(Items.map(({ expiresAt }) => expiresAt)).toEqual(
      Array(2).fill(Date.parse(LATER) / 1_000),
    );
  });

  it('keeps of an erased token when it ended, until the table deletes that', async () => {
    const TableName = await tables.createTable('pk', 'sk');
    const { credentials } = administrationPorts(tables.client, TableName);
    await credentials.add(TOKEN);
    await credentials.erase([TOKEN], ERASED);
    const Key = tokenKey(TOKEN.hash);
    const { Item } = await tables.client.send(new GetCommand({ TableName, Key }));
    expect(Item).toEqual({
      ...Key,
      revokedAt: ERASED.revokedAt.toISOString(),
      expiresAt: ERASED.expiresAt.getTime() / 1_000,
    });
  });
});
