import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type {
  Administration,
  AdministrationPorts,
} from '../../../core/directory/administration.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');

const withAda = async (replaced: Partial<AdministrationPorts> = {}) => {
  const made = administrationInMemory(replaced);
  await made.administration.createAccount('acme');
  await made.administration.createAccount('acme-sms', 'acme');
  await made.administration.createUser('ada', 'acme', 'admin');
  await made.administration.createUser('bob', 'acme-sms');
  return made;
};

const idsOf = async (administration: Administration) =>
  (await administration.listTokens('acme')).map(({ id }) => id);

describe('issuing a token', () => {
  it('makes one for the user’s primary account that lets in with its role', async () => {
    const { administration, directory } = await withAda();
    const { token, issued } = await administration.issueToken('bob', 'member', 'a test');
    expect(token).toMatch(/^mst_[A-Za-z0-9_-]{43}$/);
    expect(issued).toMatchObject({ user: 'bob', account: 'acme', role: 'member' });
    expect(await directory.tokens.findPrincipal(sha256(token))).toEqual({
      user: 'bob',
      account: 'acme',
      role: 'member',
      token: issued.id,
    });
  });

  it.each(['x', 'deployment of the shop', 'é✓ 日本', 'x'.repeat(100)])(
    'calls the token %j as it is told',
    async (name) => {
      const { administration } = await withAda();
      await administration.issueToken('ada', 'admin', name);
      expect(await administration.listTokens('acme')).toMatchObject([{ name }]);
    },
  );

  it('lets it expire when it is told, but not before it is issued', async () => {
    const { administration } = await withAda();
    const issue = (expiresAt: string) =>
      administration.issueToken('ada', 'admin', 'a test', { expiresAt });
    const expiresAt = '2100-01-01T00:00:00.000Z';

    expect((await issue(expiresAt)).issued).toMatchObject({ expiresAt });
    await expect(issue('2020-01-01T00:00:00.000Z')).rejects.toThrow('must expire later than now');
    expect(await administration.listTokens('acme')).toMatchObject([{ expiresAt }]);
  });

  it.each(['', ' ', 'x'.repeat(101), 'a\nb', 'a\u0000b', 'a\u202eb', 'a\u2028b'])(
    'calls no token %j',
    async (name) => {
      const { administration } = await withAda();
      await expect(administration.issueToken('ada', 'admin', name)).rejects.toThrow(
        'A token is called by 1 to 100 printable characters.',
      );
      expect(await administration.listTokens('acme')).toEqual([]);
    },
  );

  it('gives an admin of the organisation a token of either role', async () => {
    const { administration } = await withAda();
    expect((await administration.issueToken('ada', 'admin', 'a test')).issued.role).toBe('admin');
    expect((await administration.issueToken('ada', 'member', 'a test')).issued.role).toBe('member');
  });

  it.each([
    ['a member of the organisation’s account', { account: 'acme', role: 'member' }],
    ['a user of an account below', { account: 'acme-sms', role: 'member' }],
    ['an admin by a wrong item of an account below', { account: 'acme-sms', role: 'admin' }],
  ] as const)('makes no admin of %s', async (_whom, user) => {
    const { administration, directory } = await withAda();
    await directory.users.add({ id: 'eve', primaryAccount: 'acme', createdAt: 'now', ...user });
    await expect(administration.issueToken('eve', 'admin', 'a test')).rejects.toThrow(
      'User "eve" is not an admin of "acme"',
    );
    expect(await administration.listTokens('acme')).toEqual([]);
  });

  it('stores nothing that holds the token', async () => {
    const { administration, directory } = await withAda();
    const { token, issued } = await administration.issueToken('ada', 'admin', 'a test');
    expect(JSON.stringify(await directory.tokens.listOf('acme'))).not.toContain(token.slice(4));
    expect(issued.hash).toBe(sha256(token));
  });

  it('is refused for a user that does not exist', async () => {
    const { administration } = await withAda();
    await expect(administration.issueToken('carol', 'admin', 'a test')).rejects.toThrow(
      'There is no user "carol".',
    );
  });
});

describe('revoking a token', () => {
  it('shuts it out, lists it as revoked, and leaves the others alone', async () => {
    const { administration, directory } = await withAda();
    const { issued, token } = await administration.issueToken('ada', 'admin', 'a test');
    const other = await administration.issueToken('ada', 'admin', 'a test');
    const { revokedAt } = await administration.revokeToken('acme', issued.id);
    expect(await directory.tokens.findPrincipal(sha256(token))).toBeUndefined();
    expect(await directory.tokens.findPrincipal(sha256(other.token))).toBeDefined();
    expect(await administration.listTokens('acme')).toEqual([
      { ...issued, revokedAt },
      other.issued,
    ]);
  });

  it('changes nothing the second time', async () => {
    const { administration } = await withAda();
    const { issued } = await administration.issueToken('ada', 'admin', 'a test');
    const first = await administration.revokeToken('acme', issued.id);
    expect(await administration.revokeToken('acme', issued.id)).toEqual(first);
    expect(await administration.listTokens('acme')).toEqual([first]);
  });

  it('finds no token of another account', async () => {
    const { administration } = await withAda();
    await administration.createAccount('beta');
    const { issued } = await administration.issueToken('ada', 'admin', 'a test');
    await expect(administration.revokeToken('beta', issued.id)).rejects.toThrow(
      `Account "beta" has no token "${issued.id}".`,
    );
    expect(await administration.listTokens('acme')).toEqual([issued]);
  });
});

describe('listing tokens', () => {
  it('gives the oldest first, whatever is drawn', async () => {
    let draw = 0xff;
    const { administration } = await withAda({
      randomBytes: (size) => Buffer.alloc(size, draw--),
    });
    const first = await administration.issueToken('ada', 'admin', 'a test');
    const second = await administration.issueToken('ada', 'admin', 'a test');
    expect(await idsOf(administration)).toEqual([first.issued.id, second.issued.id]);
  });

  it('tells when a token was used, and of no other', async () => {
    const { administration, directory } = await withAda();
    const used = await administration.issueToken('ada', 'admin', 'used');
    const unused = await administration.issueToken('ada', 'admin', 'unused');
    const lastUsedAt = '2026-11-21T12:00:00.000Z';
    const use = { usedAt: lastUsedAt, unlessAfter: '2026-11-21T11:00:00.000Z' };
    await directory.tokens.noteUse(used.issued.hash, use);
    const { revokedAt } = await administration.revokeToken('acme', used.issued.id);
    expect(await administration.listTokens('acme')).toEqual([
      { ...used.issued, lastUsedAt, revokedAt },
      unused.issued,
    ]);
  });

  it.each(['listTokens', 'revokeToken'] as const)(
    '%s says where the tokens of an account below another are',
    async (useCase) => {
      const { administration } = await withAda();
      await expect(administration[useCase]('acme-sms', 'tok_1')).rejects.toThrow(
        'Account "acme-sms" is below "acme"',
      );
    },
  );
});
