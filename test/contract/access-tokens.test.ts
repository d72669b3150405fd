import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/directory/tokens.ts';
import type { IssuedToken, IssuedTokens, TokenUses } from '../../core/directory/access-token.ts';
import type { AccessTokens } from '../../core/directory/authenticate.ts';
import { inMemoryDirectory } from '../support/directory/in-memory-directory.ts';

/** The ports that administration writes to, and the port by which functions read the same data. */
interface Tokens {
  readonly tokens: IssuedTokens;
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
const MANY: readonly IssuedToken[] = Array.from({ length: 60 }, (_, number) => ({
  ...TOKEN,
  id: `tok_m${number}`,
  hash: `${number}`.padStart(64, '0'),
}));

const hashOf = (id: string): string => id.padStart(64, '0');

const tokensContract = (name: string, create: () => Promise<Tokens>) =>
  describe(`access tokens in ${name}`, () => {
    it('lists the tokens of one account alone', async () => {
      const { tokens } = await create();
      await tokens.add(TOKEN);
      await tokens.add({ ...OTHER, role: 'member' });
      await tokens.add({ ...TOKEN, id: 'tok_3', hash: hashOf('3'), account: 'acme-sms' });
      expect(await tokens.listOf('acme')).toEqual([TOKEN, { ...OTHER, role: 'member' }]);
      expect(await tokens.listOf('beta')).toEqual([]);
    });

    it('pages through the tokens of an account, greatest id first', async () => {
      const { tokens } = await create();
      const ids = ['tok_1', 'tok_2', 'tok_3', 'tok_4', 'tok_5'];
      for (const id of ids.toReversed()) await tokens.add({ ...TOKEN, id, hash: hashOf(id) });
      await tokens.add({ ...TOKEN, id: 'tok_6', account: 'acme-sms' });
      const pages: string[][] = [];
      let after: string | undefined;
      do {
        const page = await tokens.pageOf('acme', { limit: 2, after });
        pages.push(page.tokens.map(({ id }) => id));
        after = page.next;
      } while (after !== undefined);
      expect(pages).toEqual([['tok_5', 'tok_4'], ['tok_3', 'tok_2'], ['tok_1']]);
      expect([await tokens.countOf('acme'), await tokens.countOf('beta')]).toEqual([5, 0]);
    });

    it('finds a token by its id in its own account only', async () => {
      const { tokens } = await create();
      await tokens.add(TOKEN);
      expect(await tokens.find('acme', 'tok_1')).toEqual(TOKEN);
      expect(await tokens.find('beta', 'tok_1')).toBeUndefined();
    });

    it.each([
      ['id', { ...OTHER, id: TOKEN.id }],
      ['hash', { ...OTHER, hash: TOKEN.hash }],
    ])('adds nothing for the %s of another token', async (_what, later) => {
      const { tokens, accessTokens } = await create();
      await tokens.add(TOKEN);
      await expect(tokens.add(later)).rejects.toThrow('drawn twice');
      expect(await tokens.listOf('acme')).toEqual([TOKEN]);
      expect(await accessTokens.findPrincipal(OTHER.hash)).toBeUndefined();
    });

    it('keeps the instant at which a token was revoked first', async () => {
      const { tokens } = await create();
      await tokens.add(TOKEN);
      await tokens.revoke(TOKEN, AT);
      await tokens.revoke(TOKEN, LATER);
      expect(await tokens.find('acme', 'tok_1')).toEqual({ ...TOKEN, revokedAt: AT });
    });

    it('knows when a token expires, in the list and by its hash', async () => {
      const { tokens, accessTokens } = await create();
      const expiring = { ...TOKEN, expiresAt: LATER };
      await tokens.add(expiring);
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toEqual({
        ...PRINCIPAL,
        expiresAt: LATER,
      });
      await tokens.revoke(expiring, AT);
      expect(await tokens.find('acme', 'tok_1')).toEqual({ ...expiring, revokedAt: AT });
    });

    it('leaves the session of a console link out of pages and of the count', async () => {
      const { tokens } = await create();
      const ofLink = { ...OTHER, id: 'ses_2', expiresAt: LATER };
      await tokens.add(TOKEN);
      await tokens.add(ofLink);
      expect(await tokens.listOf('acme')).toEqual([ofLink, TOKEN]);
      expect(await tokens.pageOf('acme', { limit: 1 })).toEqual({ tokens: [TOKEN] });
      expect(await tokens.countOf('acme')).toBe(1);
    });

    it('refuses a revoked token, and no other', async () => {
      const { tokens, accessTokens } = await create();
      await tokens.add(TOKEN);
      await tokens.add(OTHER);
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toEqual(PRINCIPAL);
      await tokens.revoke(TOKEN, AT);
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toBeUndefined();
      expect(await accessTokens.findPrincipal(OTHER.hash)).toBeDefined();
    });

    it('tells the last uses of many tokens in the order asked for', async () => {
      const { tokens, accessTokens, uses } = await create();
      const hashes = Array.from({ length: 120 }, (_, index) => hashOf(`${index}`));
      const used = ['7', '103'].map(hashOf);
      for (const hash of hashes) await tokens.add({ ...TOKEN, id: `tok_${hash}`, hash });
      for (const hash of used) {
        await accessTokens.noteUse(hash, { usedAt: LATER, unlessAfter: AT });
      }
      expect(await uses.lastUsesOf(hashes)).toEqual(
        hashes.map((hash) => (used.includes(hash) ? LATER : undefined)),
      );
      expect(await uses.lastUsesOf([])).toEqual([]);
    });

    it('still tells the last use of a revoked token', async () => {
      const { tokens, accessTokens, uses } = await create();
      await tokens.add(TOKEN);
      await accessTokens.noteUse(TOKEN.hash, { usedAt: AT, unlessAfter: AT });
      await tokens.revoke(TOKEN, LATER);
      expect(await uses.lastUsesOf([TOKEN.hash])).toEqual([AT]);
    });

    it('knows when a token was used', async () => {
      const { tokens, accessTokens } = await create();
      await tokens.add(TOKEN);
      await tokens.add(OTHER);
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
      const { tokens, accessTokens } = await create();
      await tokens.add(TOKEN);
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

    it('knows removed tokens no more, also when they are revoked later', async () => {
      const { tokens, accessTokens } = await create();
      for (const token of [...MANY, OTHER]) await tokens.add(token);
      await tokens.remove(MANY);
      for (const token of MANY.slice(0, 1)) await tokens.revoke(token, LATER);
      expect(await tokens.listOf('acme')).toEqual([OTHER]);
      for (const { hash } of MANY) expect(await accessTokens.findPrincipal(hash)).toBeUndefined();
      expect(await accessTokens.findPrincipal(OTHER.hash)).toBeDefined();
    });
  });

tokensContract('memory', async () => {
  const directory = inMemoryDirectory();
  return { ...directory, accessTokens: directory.tokens };
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
    const { tokens } = administrationPorts(tables.client, table);
    const deletedAt = async () => {
      const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));
      return [...new Set(Items.map((item) => item.expiresAt))];
    };
    const secondsAfter = (instant: string) => Date.parse(instant) / 1_000 + 30 * 86_400;
    const expiring = { ...TOKEN, expiresAt: '2030-01-01T00:00:00.000Z' };
    await tokens.add(expiring);

    expect(await deletedAt()).toEqual([secondsAfter(expiring.expiresAt)]);
    await tokens.revoke(TOKEN, AT);
    await tokens.revoke(TOKEN, LATER);
    expect(await deletedAt()).toEqual([secondsAfter(AT)]);
  });

  it('may delete the token of a console link when it expires', async () => {
    const table = await tables.createTable('pk', 'sk');
    const { tokens } = administrationPorts(tables.client, table);
    const ofLink = { ...TOKEN, id: 'ses_1', expiresAt: LATER };
    await tokens.add(ofLink);

    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));
    expect(Items.map(({ expiresAt }) => expiresAt)).toEqual(
      Array(2).fill(Date.parse(LATER) / 1_000),
    );
  });
});
