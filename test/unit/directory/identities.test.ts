import { describe, expect, it } from 'vitest';
import type { SignInIdentity } from '../../../core/directory/sign-in.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';
import { Crash, crashingAt } from '../../support/directory/crashing-port.ts';
import { inMemoryDirectory } from '../../support/directory/in-memory-directory.ts';

const OF_ADA: SignInIdentity = {
  issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_a1B2c3',
  subject: 'f3a4c8d2-0001-7000-8000-5e1d2c3b4a59',
};

/** An organisation with the users ada, an admin, and bob, and a process that may die at a write. */
const withAdaAndBob = async () => {
  const directory = inMemoryDirectory();
  const { administration } = administrationInMemory(directory);
  await administration.createAccount('acme');
  await administration.createUser('ada', 'acme', 'admin');
  await administration.createUser('bob', 'acme');
  return { administration, directory };
};

describe('identifying a user', () => {
  it('lets whoever has the identity sign in as the user', async () => {
    const { administration, directory } = await withAdaAndBob();
    await administration.identifyUser('ada', OF_ADA);
    expect(await directory.identities.findUser(OF_ADA)).toMatchObject({ id: 'ada' });
  });

  it('can be repeated, and adds a second identity to the first', async () => {
    const { administration, directory } = await withAdaAndBob();
    const second = { issuer: 'http://localhost:4080/oidc', subject: 'ada' };
    await administration.identifyUser('ada', OF_ADA);
    await administration.identifyUser('ada', OF_ADA);
    await administration.identifyUser('ada', second);
    expect(await directory.identityList.listOf('ada')).toEqual([OF_ADA, second]);
    expect(await directory.identities.findUser(second)).toMatchObject({ id: 'ada' });
  });

  it('takes no identity from another user', async () => {
    const { administration, directory } = await withAdaAndBob();
    await administration.identifyUser('ada', OF_ADA);
    await expect(administration.identifyUser('bob', OF_ADA)).rejects.toThrow(
      `"${OF_ADA.subject}" of ${OF_ADA.issuer} signs in as another user already.`,
    );
    expect(await directory.identities.findUser(OF_ADA)).toMatchObject({ id: 'ada' });
    expect(await directory.identityList.listOf('bob')).toEqual([]);
  });

  it('is refused for a user that does not exist', async () => {
    const { administration } = await withAdaAndBob();
    await expect(administration.identifyUser('carol', OF_ADA)).rejects.toThrow(
      'There is no user "carol".',
    );
  });

  it.each([
    '',
    'id.example.com',
    'ftp://id.example.com',
    'https://',
    'https://id.example.com/a#b',
    'https://id.example.com?a=b',
    'https://id.example.com/a b',
    `https://id.example.com/${'a'.repeat(1_000)}`,
  ])('is refused for the issuer %j', async (issuer) => {
    const { administration } = await withAdaAndBob();
    await expect(administration.identifyUser('ada', { ...OF_ADA, issuer })).rejects.toThrow(
      'cannot be an issuer',
    );
  });

  it.each(['', 'a b', 'a\n', 'ü', 'a'.repeat(256)])(
    'is refused for the subject %j',
    async (subject) => {
      const { administration } = await withAdaAndBob();
      await expect(administration.identifyUser('ada', { ...OF_ADA, subject })).rejects.toThrow(
        'cannot be a subject',
      );
    },
  );

  it('lets nobody in when it dies between its two writes, and can be repeated', async () => {
    const { administration, directory } = await withAdaAndBob();
    const identities = crashingAt(directory.identities, 'add');
    const dying = administrationInMemory({ ...directory, identities }).administration;
    await expect(dying.identifyUser('ada', OF_ADA)).rejects.toThrow(Crash);
    expect(await directory.identities.findUser(OF_ADA)).toBeUndefined();
    expect(await directory.identityList.listOf('ada')).toEqual([OF_ADA]);

    await administration.identifyUser('ada', OF_ADA);
    expect(await directory.identities.findUser(OF_ADA)).toMatchObject({ id: 'ada' });
  });
});
