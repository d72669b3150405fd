import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbUserSignatures } from '../../adapters/dynamodb/directory/accounts.ts';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/directory/tokens.ts';
import type {
  IssuedToken,
  TokenCredentials,
  TokenList,
  TokenUses,
} from '../../core/directory/access-token.ts';
import type { Account, Accounts } from '../../core/directory/account.ts';
import type { AccessTokens } from '../../core/directory/authenticate.ts';
import type { User, UserSignatures, Users, WritableSignatures } from '../../core/directory/user.ts';
import { inMemoryDirectory } from '../support/directory/in-memory-directory.ts';

/** The ports that administration writes to, and the ports by which functions read the same data. */
interface Directory {
  readonly accounts: Accounts;
  readonly users: Users;
  readonly signatures: WritableSignatures;
  readonly list: TokenList;
  readonly credentials: TokenCredentials;
  readonly uses: TokenUses;
  readonly accessTokens: AccessTokens;
  readonly userSignatures: UserSignatures;
}

const AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';
const ACME: Account = { name: 'acme', primaryAccount: 'acme', createdAt: AT };
const ACME_SMS: Account = { ...ACME, name: 'acme-sms', parent: 'acme' };
const ADA: User = {
  id: 'ada',
  account: 'acme-sms',
  primaryAccount: 'acme',
  role: 'member',
  createdAt: AT,
};
const TOKEN: IssuedToken = {
  id: 'tok_1',
  name: 'a test',
  hash: 'aa'.repeat(32),
  user: 'ada',
  account: 'acme',
  role: 'admin',
  createdAt: AT,
};
const PRINCIPAL = { user: 'ada', account: 'acme', role: 'admin', token: 'tok_1' };

const directoryContract = (name: string, create: () => Promise<Directory>) => {
  describe(`accounts and users in ${name}`, () => {
    it('finds an account as it was added, with and without a parent', async () => {
      const { accounts } = await create();
      expect([await accounts.add(ACME), await accounts.add(ACME_SMS)]).toEqual(['added', 'added']);
      expect(await accounts.find('acme')).toEqual(ACME);
      expect(await accounts.find('acme-sms')).toEqual(ACME_SMS);
    });

    it('leaves an account as it is when one of its name is added again', async () => {
      const { accounts } = await create();
      await accounts.add(ACME);
      expect(await accounts.add({ ...ACME, createdAt: LATER })).toBe('exists');
      expect(await accounts.find('acme')).toEqual(ACME);
    });

    it('replaces an account, and none that was not added', async () => {
      const { accounts } = await create();
      await accounts.replace(ACME);
      expect(await accounts.find('acme')).toBeUndefined();
      await accounts.add(ACME);
      await accounts.replace({ ...ACME, failureMail: false });
      expect(await accounts.find('acme')).toEqual({ ...ACME, failureMail: false });
    });

    it('finds no account and no user that was not added', async () => {
      const { accounts, users } = await create();
      expect(await accounts.find('acme')).toBeUndefined();
      expect(await users.find('ada')).toBeUndefined();
    });

    it('finds a removed account no more, whose name another can have', async () => {
      const { accounts } = await create();
      await accounts.add(ACME);
      await accounts.remove('acme', new Date(LATER));
      await accounts.remove('beta', new Date(LATER));
      expect(await accounts.find('acme')).toBeUndefined();
      expect(await accounts.removedAt('acme')).toBe(LATER);
      expect(await accounts.removedAt('globex')).toBeUndefined();
      expect(await accounts.add({ ...ACME, createdAt: LATER })).toBe('added');
    });

    it('leaves a user as it is when one of its id is added to another account', async () => {
      const { users } = await create();
      expect(await users.add(ADA)).toBe('added');
      expect(await users.add({ ...ADA, account: 'beta', primaryAccount: 'beta' })).toBe('exists');
      expect(await users.find('ada')).toEqual(ADA);
    });

    it('replaces a user, and none that was removed', async () => {
      const { users } = await create();
      await users.add(ADA);
      await users.replace({ ...ADA, email: 'ada@example.com' });
      expect(await users.find('ada')).toEqual({ ...ADA, email: 'ada@example.com' });
      await users.remove('ada');
      await users.replace(ADA);
      expect(await users.find('ada')).toBeUndefined();
    });

    it('finds a removed user no more, whose id another user can have', async () => {
      const { users } = await create();
      await users.add(ADA);
      await users.remove('ada');
      expect(await users.find('ada')).toBeUndefined();
      expect(await users.add({ ...ADA, createdAt: LATER })).toBe('added');
      await users.remove('bob');
    });

    it('has no text of a signature that was removed', async () => {
      const { users, signatures, userSignatures } = await create();
      await users.add(ADA);
      expect(await signatures.has('ada')).toBe(false);
      await signatures.write('ada', 'Ada');
      expect(await signatures.has('ada')).toBe(true);
      await signatures.remove('ada');
      expect(await signatures.has('ada')).toBe(false);
      expect(await userSignatures.findSignature('ada')).toEqual({ account: 'acme', content: '' });
    });

    it('lets the API read the signature set last, in the primary account', async () => {
      const { users, signatures, userSignatures } = await create();
      await users.add(ADA);
      expect(await userSignatures.findSignature('ada')).toEqual({ account: 'acme', content: '' });
      await signatures.write('ada', 'Ada');
      await signatures.write('ada', 'Ada L. 🖋\nAcme');
      expect(await userSignatures.findSignature('ada')).toEqual({
        account: 'acme',
        content: 'Ada L. 🖋\nAcme',
      });
      await signatures.write('ada', '');
      expect(await userSignatures.findSignature('ada')).toEqual({ account: 'acme', content: '' });
    });
  });

  describe(`tokens in ${name}`, () => {
    it('lists the tokens of one account alone', async () => {
      const { accounts, list } = await create();
      await accounts.add(ACME);
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
      await credentials.revoke(TOKEN, AT);
      await credentials.revoke(TOKEN, LATER);
      expect(await credentials.add(TOKEN)).toBe('exists');
      expect(await accessTokens.findPrincipal(TOKEN.hash)).toBeUndefined();
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
  });
};

directoryContract('memory', async () => {
  const directory = inMemoryDirectory();
  return {
    ...directory,
    accessTokens: directory.credentials,
    userSignatures: directory.signatures,
  };
});

describe('DynamoDB', () => {
  const tables = useTables();

  directoryContract('the Directory table', async () => {
    const table = await tables.createTable('pk', 'sk');
    return {
      ...administrationPorts(tables.client, table),
      accessTokens: new DynamoDbAccessTokens(tables.client, table),
      userSignatures: new DynamoDbUserSignatures(tables.client, table),
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
});
