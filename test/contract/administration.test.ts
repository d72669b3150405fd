import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbUserSignatures } from '../../adapters/dynamodb/directory/accounts.ts';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import type { Account, Accounts } from '../../core/directory/account.ts';
import type { User, UserSignatures, Users, WritableSignatures } from '../../core/directory/user.ts';
import { inMemoryDirectory } from '../support/directory/in-memory-directory.ts';

/** The ports that administration writes to, and the ports by which functions read the same data. */
interface Directory {
  readonly accounts: Accounts;
  readonly users: Users;
  readonly signatures: WritableSignatures;
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
      await accounts.remove(ACME, new Date(LATER));
      await accounts.remove({ ...ACME, name: 'beta' }, new Date(LATER));
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
      await users.remove(ADA);
      await users.replace(ADA);
      expect(await users.find('ada')).toBeUndefined();
    });

    it('finds a removed user no more, whose id another user can have', async () => {
      const { users } = await create();
      await users.add(ADA);
      await users.remove(ADA);
      expect(await users.find('ada')).toBeUndefined();
      expect(await users.add({ ...ADA, createdAt: LATER })).toBe('added');
      await users.remove({ ...ADA, account: 'beta' });
      expect(await users.find('ada')).toMatchObject({ createdAt: LATER });
    });

    it.each(['remove', 'write'] as const)(
      'has no text of a signature that was removed by %s',
      async (removal) => {
        const { users, signatures, userSignatures } = await create();
        await users.add(ADA);
        expect(await signatures.has('ada')).toBe(false);
        await signatures.write('ada', 'Ada');
        expect(await signatures.has('ada')).toBe(true);
        await signatures[removal]('ada', '');
        expect(await signatures.has('ada')).toBe(false);
        expect(await userSignatures.findSignature('ada')).toEqual({ account: 'acme', content: '' });
      },
    );

    it('has no signature without its user', async () => {
      const { users, signatures, userSignatures } = await create();
      await users.add(ADA);
      await signatures.write('ada', 'Ada');
      await users.remove(ADA);
      expect(await userSignatures.findSignature('ada')).toBeUndefined();
      expect(await userSignatures.findSignature('ad')).toBeUndefined();
      for (const text of ['', 'Bob']) expect(await signatures.write('bob', text)).toBe('no-user');
      expect(await signatures.has('bob')).toBe(false);
    });

    it('lets the API read the signature set last, in the primary account', async () => {
      const { users, signatures, userSignatures } = await create();
      await users.add(ADA);
      expect(await userSignatures.findSignature('ada')).toEqual({ account: 'acme', content: '' });
      expect(await signatures.write('ada', 'Ada')).toBe('written');
      await signatures.write('ada', 'Ada L. 🖋\nAcme');
      expect(await userSignatures.findSignature('ada')).toEqual({
        account: 'acme',
        content: 'Ada L. 🖋\nAcme',
      });
    });
  });
};

directoryContract('memory', async () => {
  const directory = inMemoryDirectory();
  return { ...directory, userSignatures: directory.signatures };
});

describe('DynamoDB', () => {
  const tables = useTables();

  directoryContract('the Directory table', async () => {
    const table = await tables.createTable('pk', 'sk');
    return {
      ...administrationPorts(tables.client, table),
      userSignatures: new DynamoDbUserSignatures(tables.client, table),
    };
  });
});
