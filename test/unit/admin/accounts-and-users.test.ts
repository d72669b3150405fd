import { describe, expect, it } from 'vitest';
import { administrationInMemory } from '../../support/directory/administration.ts';
import { refusalOf } from '../../support/refusals.ts';

/** An organisation `acme` with the account `acme-sms` below. */
const anOrganisation = async () => {
  const made = administrationInMemory();
  await made.administration.createAccount('acme');
  await made.administration.createAccount('acme-sms', 'acme');
  return made;
};

describe('accounts', () => {
  it('are their own primary account without a parent', async () => {
    const { administration } = administrationInMemory();
    expect(await administration.createAccount('acme')).toEqual({
      name: 'acme',
      primaryAccount: 'acme',
      createdAt: '2026-11-20T12:00:00.000Z',
    });
  });

  it('have the top of a long chain of parents as their primary account', async () => {
    const { administration } = administrationInMemory();
    await administration.createAccount('acme');
    await administration.createAccount('acme-west', 'acme');
    const deepest = await administration.createAccount('acme-west-sms', 'acme-west');
    expect(deepest).toMatchObject({ parent: 'acme-west', primaryAccount: 'acme' });
  });

  it.each(['a', '-acme', 'Acme', 'acme_1', 'acme corp', 'açme', '', 'a'.repeat(64), 'acme\n'])(
    'cannot be called %j',
    async (name) => {
      const { administration } = administrationInMemory();
      await expect(administration.createAccount(name)).rejects.toThrow('2 to 63 of a-z 0-9 -');
    },
  );

  it.each(['users', 'integrations', 'contexts', 'event-types', 'docs', 'accounts', 'me'])(
    'cannot be called "%s", which is a path of the API',
    async (name) => {
      const { administration } = administrationInMemory();
      await expect(administration.createAccount(name)).rejects.toThrow('the API has that path');
    },
  );

  it.each(['a1', '0a', 'a'.repeat(63), 'users-2'])('can be called "%s"', async (name) => {
    const { administration } = administrationInMemory();
    expect((await administration.createAccount(name)).name).toBe(name);
  });

  it('cannot have a parent that does not exist', async () => {
    const { administration } = administrationInMemory();
    await expect(administration.createAccount('acme-sms', 'acme')).rejects.toThrow(
      'There is no account "acme".',
    );
    await expect(administration.findAccount('acme-sms')).rejects.toThrow('There is no account');
  });

  it('are not created twice, and the first stays as it is', async () => {
    const { administration } = administrationInMemory();
    await administration.createAccount('acme');
    const first = await administration.createAccount('acme-sms', 'acme');
    await expect(administration.createAccount('acme-sms')).rejects.toThrow('already');
    expect(await administration.findAccount('acme-sms')).toEqual(first);
  });
});

const ALL = { limit: 100 };

describe('an organisation’s tree', () => {
  it('has every account below the organisation’s own, at any depth', async () => {
    const { administration, directory } = administrationInMemory();
    await administration.createAccount('acme');
    const west = await administration.createAccount('acme-west', 'acme');
    const sms = await administration.createAccount('acme-west-sms', 'acme-west');
    expect(await directory.tree.listOf('acme', ALL)).toEqual({ accounts: [west, sms] });
    expect(await directory.tree.listOf('acme-west', ALL)).toEqual({ accounts: [] });
  });

  it('does not get an account of another organisation by its name', async () => {
    const { administration, directory } = administrationInMemory();
    await administration.createAccount('acme');
    await administration.createAccount('beta');
    const sms = await administration.createAccount('beta-sms', 'beta');
    await expect(administration.createAccount('beta-sms', 'acme')).rejects.toThrow('already');
    expect(await directory.tree.listOf('acme', ALL)).toEqual({ accounts: [] });
    expect(await directory.tree.listOf('beta', ALL)).toEqual({ accounts: [sms] });
  });
});

describe('users', () => {
  it('are members unless they are made admins', async () => {
    const { administration } = await anOrganisation();
    expect(await administration.createUser('ada', 'acme', 'admin')).toMatchObject({
      role: 'admin',
    });
    expect(await administration.createUser('bob', 'acme')).toMatchObject({ role: 'member' });
  });

  it('cannot be admins in an account that has a parent', async () => {
    const { administration, directory } = await anOrganisation();
    await expect(administration.createUser('ada', 'acme-sms', 'admin')).rejects.toThrow(
      'An admin is a user of the organisation\'s account: name "acme", not "acme-sms".',
    );
    expect(await directory.users.find('ada')).toBeUndefined();
  });

  it('have their account and its primary account, and are listed under one', async () => {
    const { administration, directory } = await anOrganisation();
    const bob = await administration.createUser('bob', 'acme-sms');
    expect(bob).toMatchObject({ id: 'bob', account: 'acme-sms', primaryAccount: 'acme' });
    expect(await directory.userList.listOf('acme-sms', ALL)).toEqual({ users: [bob] });
    expect(await directory.userList.listOf('acme', ALL)).toEqual({ users: [] });
  });

  it('have an e-mail address until it is replaced or removed', async () => {
    const { administration, directory } = await anOrganisation();
    const ada = await administration.createUser('ada', 'acme', 'admin');
    for (const email of ['ada@example.com', 'ada@example.org', undefined]) {
      await administration.setEmail('ada', email);
      const expected = email === undefined ? ada : { ...ada, email };
      expect(await directory.users.find('ada')).toEqual(expected);
      expect((await directory.userList.listOf('acme', ALL)).users).toEqual([expected]);
    }
  });

  it.each(['ada', 'a@b@c', 'ada@example.com, bob@example.com', 'Ada <ada@example.com>', ''])(
    'cannot have the address %j',
    async (email) => {
      const { administration } = await anOrganisation();
      await administration.createUser('ada', 'acme');
      await expect(administration.setEmail('ada', email)).rejects.toThrow('not an e-mail address');
    },
  );

  it.each(['', 'a b', 'ada/x', 'ü', 'a'.repeat(65)])('cannot have the id %j', async (id) => {
    const { administration } = await anOrganisation();
    await expect(administration.createUser(id, 'acme')).rejects.toThrow('1 to 64 of');
  });

  it('cannot be in an account that does not exist', async () => {
    const { administration } = administrationInMemory();
    await expect(administration.createUser('ada', 'acme')).rejects.toThrow(
      'There is no account "acme".',
    );
  });

  it('are not moved to another account by being created there', async () => {
    const { administration, directory } = await anOrganisation();
    await administration.createAccount('beta');
    await administration.createUser('ada', 'acme');
    await expect(administration.createUser('ada', 'beta')).rejects.toThrow('already');
    expect(await directory.users.find('ada')).toMatchObject({ account: 'acme' });
  });
});

describe('signatures', () => {
  const withAda = async () => {
    const made = await anOrganisation();
    await made.administration.createUser('ada', 'acme');
    return made;
  };

  it('have at most 1600 characters, however many bytes each takes', async () => {
    const { administration, directory } = await withAda();
    await administration.setSignature('ada', '🖋'.repeat(1_600));
    const stored = await directory.signatures.findSignature('ada');
    expect(stored?.content).toBe('🖋'.repeat(1_600));
    const refusal = await refusalOf(() => administration.setSignature('ada', 'x'.repeat(1_601)));
    expect(refusal.faults).toEqual([
      { pointer: '/content', detail: 'must be at most 1600 characters, not 1601' },
    ]);
    expect(await directory.signatures.findSignature('ada')).toEqual(stored);
  });

  it('are removed by an empty text', async () => {
    const { administration, directory } = await withAda();
    for (const text of ['Ada\nAcme', '']) await administration.setSignature('ada', text);
    expect(await directory.signatures.findSignature('ada')).toMatchObject({ content: '' });
  });

  it('cannot be set for a user that does not exist', async () => {
    const { administration } = await withAda();
    await expect(administration.setSignature('bob', 'Bob')).rejects.toThrow('does not exist');
  });
});

/** More than a page of a list has. */
const MANY = Array.from({ length: 230 }, (_, index) => `a-${String(index).padStart(3, '0')}`);

describe('listing accounts', () => {
  it('gives the organisation’s own account, and then all below by name', async () => {
    const { administration } = administrationInMemory();
    await administration.createAccount('acme');
    await administration.createAccount('beta');
    for (const name of MANY.toReversed()) await administration.createAccount(name, 'acme');
    const listed = await administration.listAccounts('acme');
    expect(listed.map(({ name }) => name)).toEqual(['acme', ...MANY]);
    expect(await administration.listAccounts('beta')).toMatchObject([{ name: 'beta' }]);
  });

  it('says where the accounts of an account below another are', async () => {
    const { administration } = await anOrganisation();
    await expect(administration.listAccounts('acme-sms')).rejects.toThrow(
      'Account "acme-sms" is below "acme"',
    );
    await expect(administration.listAccounts('beta')).rejects.toThrow('There is no account "beta"');
  });
});

describe('listing users', () => {
  it('gives all users of the one account, by id', async () => {
    const { administration } = await anOrganisation();
    await administration.createUser('ada', 'acme');
    for (const id of MANY.toReversed()) await administration.createUser(id, 'acme-sms');
    expect((await administration.listUsers('acme-sms')).map(({ id }) => id)).toEqual(MANY);
    expect((await administration.listUsers('acme')).map(({ id }) => id)).toEqual(['ada']);
    await expect(administration.listUsers('beta')).rejects.toThrow('There is no account "beta".');
  });
});
