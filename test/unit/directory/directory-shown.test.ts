import { beforeAll, describe, expect, it } from 'vitest';
import { buildGetMe } from '../../../core/directory/get-me.ts';
import { buildGetSignature } from '../../../core/directory/get-signature.ts';
import {
  buildAccountsPage,
  buildGetAccount,
  buildUsersPage,
} from '../../../core/directory/read-accounts.ts';
import type { UserSignatures } from '../../../core/directory/user.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';
import { untouchable } from '../../support/untouchable.ts';

/** `acme` with accounts below, of which one has two users; and another organisation. */
const anOrganisation = async ({ below = ['acme-sms', 'acme-eu', 'acme-voice'] } = {}) => {
  const { directory, administration } = administrationInMemory();
  await administration.createAccount('acme');
  for (const name of below) await administration.createAccount(name, 'acme');
  await administration.createAccount('globex');
  await administration.createAccount('globex-sms', 'globex');
  await administration.createUser('u_ada', 'acme', 'admin');
  if (below.length > 0) {
    await administration.createUser('u_cem', 'acme-sms');
    await administration.createUser('u_bob', 'acme-sms');
  }
  return {
    getMe: buildGetMe(directory),
    getAccount: buildGetAccount(directory),
    accountsPage: buildAccountsPage(directory),
    usersPage: buildUsersPage(directory),
  };
};

type Organisation = Awaited<ReturnType<typeof anOrganisation>>;

/** The names of each page, from the first to the last. */
const pagesOf = async ({ accountsPage }: Organisation, limit: number): Promise<string[][]> => {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { accounts, next } = await accountsPage({ organisation: 'acme', limit, cursor });
    pages.push(accounts.map(({ name }) => name));
    cursor = next;
  } while (cursor !== undefined);
  return pages;
};

describe('the accounts of an organisation', () => {
  it.each([
    [1, [['acme'], ['acme-eu'], ['acme-sms'], ['acme-voice']]],
    [
      2,
      [
        ['acme', 'acme-eu'],
        ['acme-sms', 'acme-voice'],
      ],
    ],
    [3, [['acme', 'acme-eu', 'acme-sms'], ['acme-voice']]],
    [4, [['acme', 'acme-eu', 'acme-sms', 'acme-voice']]],
    [100, [['acme', 'acme-eu', 'acme-sms', 'acme-voice']]],
  ])('are its own, then those below by name, by pages of %i', async (limit, pages) => {
    expect(await pagesOf(await anOrganisation(), limit)).toEqual(pages);
  });

  it('are its own alone where there is none below', async () => {
    expect(await pagesOf(await anOrganisation({ below: [] }), 1)).toEqual([['acme']]);
  });

  it.each(['bm90IGEgbmFtZQ', '__', 'A'])('have no cursor %s', async (cursor) => {
    const { accountsPage } = await anOrganisation();
    const refusal = await refusalOf(() =>
      accountsPage({ organisation: 'acme', limit: 20, cursor }),
    );
    expect(pointersOf(refusal)).toEqual(['cursor']);
  });
});

describe('an account', () => {
  it.each(['acme', 'acme-sms'])('is found in its organisation: %s', async (name) => {
    const { getAccount } = await anOrganisation();
    expect(await getAccount('acme', name)).toMatchObject({ name, primaryAccount: 'acme' });
  });

  it.each(['globex', 'globex-sms', 'nobody', '', 'a'.repeat(2_000)])(
    'of another organisation is as if it did not exist: %s',
    async (name) => {
      const { getAccount, usersPage } = await anOrganisation();
      const refusal = await refusalOf(() => getAccount('acme', name));
      expect(refusal).toMatchObject({ kind: 'not-found', message: 'The account does not exist.' });
      const ofUsers = await refusalOf(() =>
        usersPage({ organisation: 'acme', account: name, limit: 20 }),
      );
      expect(ofUsers).toEqual(refusal);
    },
  );
});

describe('the users of an account', () => {
  it('are in the order of their ids, page by page', async () => {
    const { usersPage } = await anOrganisation();
    const request = { organisation: 'acme', account: 'acme-sms', limit: 1 };
    const first = await usersPage(request);
    const second = await usersPage({ ...request, cursor: first.next });
    expect([first, second].map(({ users }) => users.map(({ id }) => id))).toEqual([
      ['u_bob'],
      ['u_cem'],
    ]);
    expect(second.next).toBeUndefined();
  });

  it('are not those of the accounts below', async () => {
    const { usersPage } = await anOrganisation();
    const { users } = await usersPage({ organisation: 'acme', account: 'acme', limit: 20 });
    expect(users.map(({ id }) => id)).toEqual(['u_ada']);
  });

  it('have no cursor that no page gave', async () => {
    const { usersPage } = await anOrganisation();
    const request = { organisation: 'acme', account: 'acme', limit: 20, cursor: '__' };
    expect(pointersOf(await refusalOf(() => usersPage(request)))).toEqual(['cursor']);
  });
});

describe('whom a call is made for', () => {
  it.each([
    ['u_ada', 'admin', '/accounts/acme'],
    ['u_ada', 'member', '/accounts/acme'],
    ['u_bob', 'member', '/accounts/acme-sms'],
    ['u_removed', 'member', '/accounts/acme'],
  ] as const)('is %s as %s, of %s', async (user, role, account) => {
    const { getMe } = await anOrganisation();
    expect(await getMe({ user, account: 'acme', role })).toMatchObject({
      user: `/users/${user}`,
      userName: user,
      account,
      organisation: '/accounts/acme',
      role,
    });
  });
});

describe('reading a signature', () => {
  const { administration, directory } = administrationInMemory();
  const getSignature = buildGetSignature(directory);
  beforeAll(async () => {
    for (const account of ['acme', 'globex']) await administration.createAccount(account);
    for (const user of ['usr_1', 'usr_2']) await administration.createUser(user, 'acme');
    await administration.createUser('usr_3', 'globex');
    await administration.setSignature('usr_1', 'Best regards,\nIvan 🦊');
    await administration.setSignature('usr_3', 'Yours');
  });

  it('gives the Signature resource of the contract', async () => {
    expect(await getSignature('acme', 'usr_1')).toEqual({
      '@context': '/contexts/Signature.jsonld',
      '@type': 'Signature',
      id: '/users/usr_1/signature',
      content: 'Best regards,\nIvan 🦊',
    });
  });

  it('gives an empty text for a user without one', async () => {
    expect(await getSignature('acme', 'usr_2')).toMatchObject({ content: '' });
  });

  it('tells another account the same as it tells of an unknown user', async () => {
    const others = await refusalOf(() => getSignature('acme', 'usr_3'));
    const unknown = await refusalOf(() => getSignature('acme', 'usr_4'));
    expect(others.kind).toBe('not-found');
    expect({ ...others, message: others.message }).toEqual({
      ...unknown,
      message: unknown.message,
    });
  });

  it.each(['', 'a b', 'a/b', 'usr_1#SIGNATURE', '..', 'x'.repeat(65), 'ü'])(
    'does not look for the user %j, which cannot be one',
    async (user) => {
      const guarded = buildGetSignature({
        signatures: untouchable<UserSignatures>('the store of signatures'),
      });
      expect((await refusalOf(() => guarded('acme', user))).kind).toBe('not-found');
    },
  );
});
