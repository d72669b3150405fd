import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AdministrationPorts } from '../../../core/directory/administration.ts';
import type { SignInIdentity } from '../../../core/directory/sign-in.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';
import { Crash, crashingAt, interruptedAt } from '../../support/directory/crashing-port.ts';
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
    expect(await directory.identities.listOf('ada')).toEqual([OF_ADA, second]);
    expect(await directory.identities.findUser(second)).toMatchObject({ id: 'ada' });
  });

  it('takes no identity from another user', async () => {
    const { administration, directory } = await withAdaAndBob();
    await administration.identifyUser('ada', OF_ADA);
    await expect(administration.identifyUser('bob', OF_ADA)).rejects.toThrow(
      `"${OF_ADA.subject}" of ${OF_ADA.issuer} signs in as another user already.`,
    );
    expect(await directory.identities.findUser(OF_ADA)).toMatchObject({ id: 'ada' });
    expect(await directory.identities.listOf('bob')).toEqual([]);
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
});

const ALL = { limit: 100 };

/** The admin ada with all that a user can have, and bob, both with a token. */
const withAllOfAda = async () => {
  const { administration, directory } = await withAdaAndBob();
  await administration.identifyUser('ada', OF_ADA);
  await administration.setSignature('ada', 'Ada');
  const ofAda = (await administration.issueToken('ada', 'admin', 'a test')).issued;
  const ofBob = (await administration.issueToken('bob', 'member', 'a test')).issued;
  return { administration, directory, ofAda, ofBob };
};

type Directory = ReturnType<typeof inMemoryDirectory>;

/** What is left of ada, and whether bob has everything. */
const stateOf = async ({ directory }: { directory: Directory }) => {
  const tokens = await directory.tokens.listOf('acme');
  const letsIn = async (user: string) => {
    const own = tokens.filter((token) => token.user === user);
    const found = await Promise.all(own.map(({ hash }) => directory.tokens.findPrincipal(hash)));
    return found.some((principal) => principal !== undefined);
  };
  return {
    signsIn: (await directory.identities.findUser(OF_ADA)) !== undefined,
    identities: await directory.identities.listOf('ada'),
    hasToken: await letsIn('ada'),
    isThere: (await directory.users.find('ada')) !== undefined,
    users: (await directory.userList.listOf('acme', ALL)).users.map(({ id }) => id),
    bobHasToken: await letsIn('bob'),
  };
};

const REMOVED = {
  signsIn: false,
  identities: [],
  hasToken: false,
  isThere: false,
  users: ['bob'],
  bobHasToken: true,
};

describe('removing a user', () => {
  it('ends the sign-in and the tokens, and leaves other users alone', async () => {
    const { administration, directory } = await withAllOfAda();
    expect(await administration.removeUser('ada')).toMatchObject({ id: 'ada', account: 'acme' });
    expect(await stateOf({ directory })).toEqual(REMOVED);
    expect(await administration.listTokens('acme')).toMatchObject([{ user: 'bob' }]);
  });

  it('leaves nothing to the next user of the id', async () => {
    const { administration, directory } = await withAllOfAda();
    await administration.removeUser('ada');
    await administration.createUser('ada', 'acme');
    expect(await directory.identities.findUser(OF_ADA)).toBeUndefined();
    expect(await directory.signatures.findSignature('ada')).toMatchObject({ content: '' });
  });

  it('counts before what it removes, revoked tokens too', async () => {
    const { administration, ofAda } = await withAllOfAda();
    await administration.revokeToken('acme', ofAda.id);
    expect((await administration.countUser('ada')).counts).toEqual({
      signIns: 1,
      signatures: 1,
      tokens: 1,
    });
  });

  it('is refused for a user that does not exist', async () => {
    const { administration } = await withAllOfAda();
    await expect(administration.removeUser('carol')).rejects.toThrow('There is no user "carol".');
  });

  const deaths: Record<string, (directory: Directory) => Partial<AdministrationPorts>> = {
    'its identities': ({ identities }) => ({ identities: crashingAt(identities, 'remove') }),
    'its tokens': ({ tokens }) => ({ tokens: crashingAt(tokens, 'remove') }),
    'its signature': ({ signatures }) => ({ signatures: crashingAt(signatures, 'remove') }),
    'the user': ({ users }) => ({ users: crashingAt(users, 'remove') }),
  };

  it.each(Object.entries(deaths))('can be repeated after it died at %s', async (_at, portsOf) => {
    const { administration, directory } = await withAllOfAda();
    const dying = administrationInMemory({ ...directory, ...portsOf(directory) }).administration;
    await expect(dying.removeUser('ada')).rejects.toThrow(Crash);
    await administration.removeUser('ada');
    expect(await stateOf({ directory })).toEqual(REMOVED);
  });

  it('leaves no valid token that was being issued meanwhile', async () => {
    const { administration, directory } = await withAllOfAda();
    const remove = () => administration.removeUser('ada');
    const tokens = interruptedAt(directory.tokens, 'add', remove);
    const issuing = administrationInMemory({ ...directory, tokens, randomBytes });
    await expect(issuing.administration.issueToken('ada', 'admin', 'a test')).rejects.toThrow(
      'was removed while the token was being issued',
    );
    expect(await stateOf({ directory })).toEqual(REMOVED);
  });
});
