import { describe, expect, it } from 'vitest';
import { hashAccessToken } from '../../../../core/directory/access-token.ts';
import type { Role } from '../../../../core/directory/user.ts';
import { route as creating } from '../../../../lambdas/api/access-tokens/create-access-token/route.ts';
import { route as listing } from '../../../../lambdas/api/access-tokens/list-access-tokens/route.ts';
import { route as revoking } from '../../../../lambdas/api/access-tokens/revoke-access-token/route.ts';
import { administrationInMemory } from '../../../support/directory/administration.ts';
import { documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const OF_ACME = { account_name: 'acme' };

/** The API of `acme`, whose admin is u_ada and whose member u_bob is of an account below. */
const anApi = async () => {
  let seconds = 0;
  const now = () => new Date(Date.UTC(2026, 10, 20, 13, 0, seconds++));
  const api = apiOverMemory([], { now });
  const { directory } = api.parts;
  const { administration } = administrationInMemory(directory);
  await administration.createAccount('acme');
  await administration.createAccount('acme-sms', 'acme');
  await administration.createAccount('globex');
  await administration.createUser('u_ada', 'acme', 'admin');
  await administration.createUser('u_bob', 'acme-sms');
  const authorizer = { user: 'u_ada', account: 'acme', role: 'admin' };
  const create = (body: unknown, principal: object = authorizer) =>
    api.send(creating, {
      pathParameters: OF_ACME,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      authorizer: { ...principal },
    });
  const list = async (query?: string) => {
    const answer = await api.send(listing, {
      pathParameters: OF_ACME,
      authorizer,
      ...(query !== undefined && { query }),
    });
    expect(answer.statusCode).toBe(200);
    return listing.answers[0].schema.parse(documentOf(answer));
  };
  const revoke = (id: unknown, account = 'acme') =>
    api.send(revoking, {
      pathParameters: { account_name: account, token: String(id).split('/').at(-1) ?? '' },
      authorizer: { ...authorizer, account },
    });
  return { ...api, administration, directory, create, list, revoke };
};

describe('POST /{account_name}/access-tokens', () => {
  it.each<Role>(['member', 'admin'])('makes the caller a token of role %s', async (role) => {
    const { create, directory } = await anApi();
    const answer = await create({ name: 'Reports', role });
    const { token, ...document } = creating.answers[0].schema.parse(documentOf(answer));
    expect(answer.statusCode).toBe(201);
    expect(answer.headers?.Location).toBe(document.id);
    expect(document).toMatchObject({ name: 'Reports', role, user: '/users/u_ada' });
    expect(await directory.credentials.findPrincipal(hashAccessToken(token ?? ''))).toEqual({
      user: 'u_ada',
      account: 'acme',
      role,
    });
  });

  it('shows the token in its own answer only, and logs who made which', async () => {
    const { create, list, observation } = await anApi();
    const { token, id } = documentOf(await create({ name: 'Reports', role: 'member' }));
    expect(JSON.stringify(await list())).not.toContain(token);
    expect(observation.logger.text).not.toContain(token);
    expect(observation.logger.lines).toContainEqual({
      level: 'info',
      name: 'access_token.created',
      fields: {
        account: 'acme',
        user: 'u_ada',
        tokenId: String(id).replace('/acme/access-tokens/', ''),
        role: 'member',
      },
    });
  });

  it('makes no admin of a user who is none any more', async () => {
    const { create, list } = await anApi();
    const asAdmin = { user: 'u_bob', account: 'acme', role: 'admin' };
    const answer = await create({ name: 'Reports', role: 'admin' }, asAdmin);
    expect(answer.statusCode).toBe(403);
    expect(documentOf(answer).type).toBe('urn:service:problem:forbidden');
    expect((await list()).member).toEqual([]);
  });

  it('makes none for a user who was removed', async () => {
    const { create, administration, list } = await anApi();
    await administration.removeUser('u_ada');
    expect((await create({ name: 'Reports', role: 'member' })).statusCode).toBe(404);
    expect((await list()).member).toEqual([]);
  });

  it('leaves no valid token of a user who is removed meanwhile', async () => {
    const { create, administration, list, directory } = await anApi();
    const { add } = directory.credentials;
    directory.credentials.add = async (token) => {
      await administration.removeUser('u_ada');
      return add.call(directory.credentials, token);
    };
    expect((await create({ name: 'Reports', role: 'member' })).statusCode).toBe(404);
    const [listed] = (await list()).member;
    expect(listed?.revokedAt).toBeDefined();
    const [stored] = directory.list.all;
    expect(await directory.credentials.findPrincipal(stored?.hash ?? '')).toBeUndefined();
  });

  it.each([
    [{}, ['/name', '/role']],
    [{ name: '', role: 'member' }, ['/name']],
    [{ name: '   ', role: 'member' }, ['/name']],
    [{ name: 'x'.repeat(101), role: 'member' }, ['/name']],
    [{ name: 'a\nb', role: 'member' }, ['/name']],
    [{ name: 'Reports\u202e', role: 'owner', user: 'u_bob' }, ['/name', '/role', '/user']],
  ])('names all that is wrong with %j', async (body, pointers) => {
    const { create, list } = await anApi();
    const answer = await create(body);
    const errors = documentOf(answer).errors as { pointer: string }[];
    expect(answer.statusCode).toBe(422);
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
    expect((await list()).member).toEqual([]);
  });
});

describe('GET /{account_name}/access-tokens', () => {
  it('lists all of the account, newest first, with what became of each', async () => {
    const { create, revoke, list, directory } = await anApi();
    for (const name of ['First', 'Second', 'Third']) await create({ name, role: 'member' });
    const [third, second, first] = (await list()).member;
    await revoke(first?.id);
    const used = directory.list.all.find(({ name }) => name === 'Second')?.hash ?? '';
    const usedAt = '2026-11-20T14:00:00.000Z';
    await directory.credentials.noteUse(used, { usedAt, unlessAfter: usedAt });
    const page = await list();
    expect(page.totalItems).toBe(3);
    expect(page.member).toEqual([
      third,
      { ...second, lastUsedAt: usedAt },
      { ...first, revokedAt: expect.stringMatching(/^2026-11-20T13:/) },
    ]);
  });

  it.each([1, 2, 3])('lists each once, by pages of %i', async (limit) => {
    const { create, list } = await anApi();
    for (const name of ['First', 'Second', 'Third']) await create({ name, role: 'member' });
    const names: string[] = [];
    let next: string | undefined = `?limit=${limit}`;
    while (next !== undefined) {
      const { member, view } = await list(next.split('?')[1]);
      names.push(...member.map(({ name }) => name));
      next = view.next;
    }
    expect(names).toEqual(['Third', 'Second', 'First']);
  });

  it('has no cursor that no page gave', async () => {
    const { send } = await anApi();
    const wishes = { pathParameters: OF_ACME, query: 'cursor=YWNtZQ' };
    expect((await send(listing, wishes)).statusCode).toBe(422);
  });
});

describe('DELETE /{account_name}/access-tokens/{token}', () => {
  it('shuts the token out, lists it as revoked, and does no harm the second time', async () => {
    const { create, revoke, list, directory, observation } = await anApi();
    const { id, token } = documentOf(await create({ name: 'Reports', role: 'member' }));
    const answers = [await revoke(id), await revoke(id)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
    const hash = hashAccessToken(String(token));
    expect(await directory.credentials.findPrincipal(hash)).toBeUndefined();
    expect((await list()).member).toMatchObject([{ id, revokedAt: '2026-11-20T13:00:01.000Z' }]);
    expect(observation.logger.lines).toMatchObject([
      { name: 'access_token.created' },
      { name: 'access_token.revoked', fields: { account: 'acme', user: 'u_ada' } },
      { name: 'access_token.revoked' },
    ]);
  });

  it.each(['tok_0000000000000000', 'nonsense', ''])('knows no token %j', async (id) => {
    const { revoke } = await anApi();
    expect((await revoke(id)).statusCode).toBe(404);
  });

  it('does not find the token of another account', async () => {
    const { create, revoke, list } = await anApi();
    const { id } = documentOf(await create({ name: 'Reports', role: 'member' }));
    expect((await revoke(id, 'globex')).statusCode).toBe(404);
    const [listed] = (await list()).member;
    expect(listed?.revokedAt).toBeUndefined();
  });
});
