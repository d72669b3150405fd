import { describe, expect, it } from 'vitest';
import { customerLimits } from '../../../../core/customer-limits.ts';
import type { IssuedToken } from '../../../../core/directory/access-token.ts';
import { hashAccessToken } from '../../../../core/directory/access-token.ts';
import type { Role } from '../../../../core/directory/user.ts';
import { administrationInMemory } from '../../../support/directory/administration.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const PATH = '/acme/access-tokens';
const MEMBER = { name: 'Reports', role: 'member' };

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly revokedAt?: string;
}

/** The API of `acme`, whose admin is u_ada and whose member u_bob is of an account below. */
const anApi = async () => {
  let seconds = 0;
  const now = () => new Date(Date.UTC(2026, 10, 20, 13, 0, seconds++));
  const api = apiOverMemory([], { now });
  const { directory } = api.parts;
  const { administration } = administrationInMemory(directory);
  await administration.createAccount('acme');
  await administration.createAccount('acme-sms', 'acme');
  await administration.createUser('u_ada', 'acme', 'admin');
  await administration.createUser('u_bob', 'acme-sms');
  const create = (body: unknown, user = 'u_ada') => api.call('POST', PATH, { body, user });
  const page = async (path = PATH) => {
    const { document } = await api.call('GET', path);
    return document as { member: Listed[]; totalItems?: number; view: { next?: string } };
  };
  const revoke = (id: unknown) => api.call('DELETE', String(id), { user: 'u_ada' });
  return { ...api, administration, directory, create, page, revoke };
};

describe('POST /{account_name}/access-tokens', () => {
  it.each<Role>(['member', 'admin'])('makes the caller a token of role %s', async (role) => {
    const { create, page, directory, observation } = await anApi();
    const { status, headers, document } = await create({ name: 'Reports', role });
    const { token, id } = document;
    expect([status, headers.location]).toEqual([201, id]);
    expect(document).toMatchObject({ name: 'Reports', role, user: '/users/u_ada' });
    const principal = await directory.tokens.findPrincipal(hashAccessToken(String(token)));
    const tokenId = String(id).replace(`${PATH}/`, '');
    expect(principal).toEqual({ user: 'u_ada', account: 'acme', role, token: tokenId });
    expect(JSON.stringify(await page())).not.toContain(token);
    const fields = { account: 'acme', user: 'u_ada', tokenId, role };
    expect(observation.logger.lines).toEqual([
      { level: 'info', name: 'access_token.created', fields },
    ]);
  });

  it('makes a token that expires, and lists when', async () => {
    const { create, page, directory } = await anApi();
    const given = '2026-11-21T01:00:00+01:00';
    const expiresAt = '2026-11-21T00:00:00.000Z';
    const { document } = await create({ ...MEMBER, expiresAt: given });

    expect(document).toMatchObject({ expiresAt });
    expect((await page()).member).toMatchObject([{ expiresAt }]);
    const hash = hashAccessToken(String(document.token));
    expect(await directory.tokens.findPrincipal(hash)).toMatchObject({ expiresAt });
  });

  it.each([
    ['2026-11-20T18:00:00Z', 201],
    ['2026-11-20T18:00:00.001Z', 422],
    [undefined, 422],
  ])('makes none that outlives the token of the call: %s', async (expiresAt, status) => {
    const { call } = await anApi();
    const caller = { user: 'u_ada', expiresAt: '2026-11-20T18:00:00.000Z' };
    const reply = await call('POST', PATH, { ...caller, body: { ...MEMBER, expiresAt } });
    expect(reply.status).toBe(status);
    if (status === 422) {
      expect(reply.document.errors).toMatchObject([{ pointer: '/expiresAt' }]);
    }
  });

  it('makes no token of role admin for a user who is no longer an admin', async () => {
    const { create, page } = await anApi();
    const { status, document } = await create({ name: 'Reports', role: 'admin' }, 'u_bob');
    expect([status, document.type]).toEqual([403, '/problems/forbidden']);
    expect((await page()).member).toEqual([]);
  });

  it('makes none for a user who was removed', async () => {
    const { create, administration, page } = await anApi();
    await administration.removeUser('u_ada');
    expect((await create(MEMBER)).status).toBe(404);
    expect((await page()).member).toEqual([]);
  });

  it('leaves no valid token of a user who is removed meanwhile', async () => {
    const { create, administration, page, directory } = await anApi();
    const { add } = directory.tokens;
    let added: IssuedToken | undefined;
    directory.tokens.add = async (token) => {
      added = token;
      await administration.removeUser('u_ada');
      return add.call(directory.tokens, token);
    };
    expect((await create(MEMBER)).status).toBe(404);
    expect((await page()).member).toEqual([]);
    expect(await directory.tokens.findPrincipal(added?.hash ?? '')).toBeUndefined();
  });

  it('fails when that token cannot be removed', async () => {
    const { create, directory } = await anApi();
    const { add } = directory.tokens;
    directory.tokens.add = async (token) => {
      directory.users.find = async () => undefined;
      return add.call(directory.tokens, token);
    };
    directory.tokens.remove = () => Promise.reject(new Error('throttled'));
    expect((await create(MEMBER)).status).toBe(500);
  });

  it.each([
    [{}, ['/name', '/role']],
    [{ name: '', role: 'member' }, ['/name']],
    [{ name: '   ', role: 'member' }, ['/name']],
    [{ name: 'x'.repeat(101), role: 'member' }, ['/name']],
    [{ name: 'a\nb', role: 'member' }, ['/name']],
    [{ name: 'Reports\u202e', role: 'owner', user: 'u_bob' }, ['/name', '/role', '/user']],
    [{ ...MEMBER, expiresAt: '2026-11-20' }, ['/expiresAt']],
    [{ ...MEMBER, expiresAt: '2026-11-20T23:59:60Z' }, ['/expiresAt']],
    [{ ...MEMBER, expiresAt: '2026-11-20T13:00:00Z' }, ['/expiresAt']],
    [{ ...MEMBER, expiresAt: '9999-12-31T23:59:59-01:00' }, ['/expiresAt']],
    [{ ...MEMBER, expiresAt: 1_800_000_000 }, ['/expiresAt']],
  ])('names all faults of %j', async (body, pointers) => {
    const { create, page } = await anApi();
    const { status, document } = await create(body);
    const errors = document.errors as { pointer: string }[];
    expect(status).toBe(422);
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
    expect((await page()).member).toEqual([]);
  });
});

describe('an account', () => {
  it('has at most so many access tokens, those revoked lately included', async () => {
    const { create, page, revoke, directory } = await anApi();
    await create(MEMBER);
    const [made] = directory.tokens.all.slice(-1);
    if (made === undefined) throw new Error('There is no token.');
    for (let count = 2; count < customerLimits.accessTokensPerAccount; count += 1) {
      await directory.tokens.add({ ...made, id: `tok_${count}`, hash: `${count}` });
    }
    expect((await create(MEMBER)).status).toBe(201);
    await revoke((await page()).member[0]?.id);
    const { status, document } = await create(MEMBER);
    expect([status, document.type]).toEqual([409, '/problems/access-token-quota']);
    expect(document.detail).toContain('has 1,000 access tokens');
  });
});

describe('GET /{account_name}/access-tokens', () => {
  it('lists all tokens of the account, the newest first, used and revoked', async () => {
    const { create, revoke, page, directory } = await anApi();
    for (const name of ['First', 'Second', 'Third']) await create({ ...MEMBER, name });
    const [third, second, first] = (await page()).member;
    await revoke(first?.id);
    const used = directory.tokens.all.find(({ name }) => name === 'Second')?.hash ?? '';
    const usedAt = '2026-11-20T14:00:00.000Z';
    await directory.tokens.noteUse(used, { usedAt, unlessAfter: usedAt });
    expect(await page()).toMatchObject({
      totalItems: 3,
      member: [
        third,
        { ...second, lastUsedAt: usedAt },
        { ...first, revokedAt: expect.stringMatching(/^2026-11-20T13:/) },
      ],
    });
  });

  it.each([1, 2, 3])('lists each once, by pages of %i', async (limit) => {
    const { create, page } = await anApi();
    for (const name of ['First', 'Second', 'Third']) await create({ ...MEMBER, name });
    const names: string[] = [];
    for (let next: string | undefined = `${PATH}?limit=${limit}`; next !== undefined; ) {
      const { member, view } = await page(next);
      names.push(...member.map(({ name }) => name));
      next = view.next;
    }
    expect(names).toEqual(['Third', 'Second', 'First']);
  });
});

describe('DELETE /{account_name}/access-tokens/{token}', () => {
  it('revokes the token, and does no harm the second time', async () => {
    const { create, revoke, page, directory, observation } = await anApi();
    const { id, token } = (await create(MEMBER)).document;
    const statuses = [(await revoke(id)).status, (await revoke(id)).status];
    expect(statuses).toEqual([204, 204]);
    const hash = hashAccessToken(String(token));
    expect(await directory.tokens.findPrincipal(hash)).toBeUndefined();
    expect((await page()).member).toMatchObject([{ id, revokedAt: '2026-11-20T13:00:01.000Z' }]);
    expect(observation.logger.lines).toMatchObject([
      { name: 'access_token.created' },
      { name: 'access_token.revoked', fields: { account: 'acme', user: 'u_ada' } },
      { name: 'access_token.revoked' },
    ]);
  });

  it('fails when the token cannot be revoked', async () => {
    const { create, revoke, directory } = await anApi();
    const { id } = (await create(MEMBER)).document;
    directory.tokens.revoke = () => Promise.reject(new Error('throttled'));
    expect((await revoke(id)).status).toBe(500);
  });

  it('lets the token of a member revoke itself alone', async () => {
    const { call, create } = await anApi();
    const { document: own } = await create(MEMBER);
    const { document: other } = await create(MEMBER);
    const caller = { role: 'member', token: String(own.id).replace(`${PATH}/`, '') } as const;
    const revoke = async (id: unknown) => (await call('DELETE', String(id), caller)).status;
    expect([await revoke(other.id), await revoke(own.id)]).toEqual([403, 204]);
  });

  it.each(['tok_0000000000000000', 'nonsense'])('answers 404 to the id %j', async (id) => {
    expect((await (await anApi()).revoke(`${PATH}/${id}`)).status).toBe(404);
  });
});
