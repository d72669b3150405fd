import { describe, expect, it } from 'vitest';
import { administrationInMemory } from '../../support/directory/administration.ts';

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
    const { administration } = administrationInMemory();
    await administration.createAccount('acme');
    await administration.createAccount('acme-sms', 'acme');
    await expect(administration.listAccounts('acme-sms')).rejects.toThrow(
      'Account "acme-sms" is below "acme"',
    );
    await expect(administration.listAccounts('beta')).rejects.toThrow('There is no account "beta"');
  });
});

describe('listing users', () => {
  it('gives all users of the one account, by id', async () => {
    const { administration } = administrationInMemory();
    await administration.createAccount('acme');
    await administration.createAccount('acme-sms', 'acme');
    await administration.createUser('ada', 'acme');
    for (const id of MANY.toReversed()) await administration.createUser(id, 'acme-sms');
    expect((await administration.listUsers('acme-sms')).map(({ id }) => id)).toEqual(MANY);
    expect((await administration.listUsers('acme')).map(({ id }) => id)).toEqual(['ada']);
    await expect(administration.listUsers('beta')).rejects.toThrow('There is no account "beta".');
  });
});
