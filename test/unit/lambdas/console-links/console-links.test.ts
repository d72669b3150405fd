import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customerLimits } from '../../../../core/customer-limits.ts';
import { buildAuthenticate } from '../../../../core/directory/authenticate.ts';
import { administrationInMemory } from '../../../support/directory/administration.ts';
import { type ApiCall, apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const START = Date.UTC(2026, 10, 20, 12, 30);

/** The API of `acme`, with an account below, and of `globex`. Time stands still until it is moved. */
const anApi = async () => {
  let at = START;
  const now = () => new Date(at);
  const api = apiOverMemory([], { now });
  const { directory } = api.parts;
  const { administration } = administrationInMemory(directory);
  await administration.createAccount('acme');
  await administration.createAccount('acme-sms', 'acme');
  await administration.createAccount('globex');
  await administration.createUser('u_ada', 'acme', 'admin');
  await administration.createUser('u_bob', 'acme', 'member');
  await administration.createUser('u_eve', 'globex', 'admin');
  const authenticate = buildAuthenticate({
    tokens: directory.tokens,
    now,
    onUnnotedUse: (fault) => {
      throw fault;
    },
  });
  const createLink = (body: object = {}, { account = 'acme', ...call }: ApiCall = {}) =>
    api.call('POST', `/accounts/${account}/console-links`, {
      body: { user: 'Ada Lovelace', role: 'admin', ...body },
      ...call,
    });
  const open = (code: unknown) => api.call('POST', '/console-sessions', { body: { code } });
  const codeOf = async (...of: Parameters<typeof createLink>) => {
    const { document } = await createLink(...of);
    return String(document.url).split('#code=')[1] ?? '';
  };
  return {
    ...api,
    administration,
    directory,
    createLink,
    codeOf,
    open,
    principalOf: (bearer: unknown) => authenticate(`Bearer ${bearer}`),
    pass: (seconds: number) => {
      at += seconds * 1_000;
    },
  };
};

const CODE = /^mcl_[\w-]{43}$/;

describe('A link to the console', () => {
  it('has its code in the fragment alone, and says how long it is good for', async () => {
    const { createLink, observation, directory } = await anApi();

    const { status, document } = await createLink({ durationSeconds: 28_800 });

    expect(status).toBe(201);
    expect(document).toMatchObject({
      '@type': 'ConsoleLink',
      account: '/accounts/acme',
      validUntil: '2026-11-20T12:31:00.000Z',
      sessionEndsAt: '2026-11-20T20:30:00.000Z',
    });
    const url = new URL(String(document.url));
    const webhooks = 'https://console.example.com/accounts/acme/settings/integrations';
    expect(url.origin + url.pathname + url.search).toBe(webhooks);
    const code = url.hash.replace('#code=', '');
    expect(code).toMatch(CODE);
    expect(JSON.stringify(directory.links.all)).not.toContain(code);
    expect(observation.logger.lines).toEqual([
      { level: 'info', name: 'console_link.created', fields: { account: 'acme', role: 'admin' } },
    ]);
  });

  it('leads to the page that the platform names', async () => {
    const { createLink } = await anApi();
    const page = '/accounts/acme/settings/integrations/8Fq2LmZ0aBcD?tab=settings';
    const { document } = await createLink({ page });
    expect(String(document.url)).toMatch(`https://console.example.com${page}#code=mcl_`);
  });

  it('leads nowhere but to the console, whatever page is named', async () => {
    const { createLink } = await anApi();
    const piece = fc.constantFrom(
      ...['/', '\\', '//', '..', '@evil.example', '#', '?', '\t', ':', '%2f', 'https:', 'a'],
    );
    const pages = fc.oneof(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.array(fc.string()));
    const seen = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(pages, async (pieces) => {
        const { status, document } = await createLink({ page: pieces.join('') });
        seen[status === 201 ? 'accepted' : 'refused'] += 1;
        if (status === 422) return;
        const { origin, hash } = new URL(String(document.url));
        expect([status, origin]).toEqual([201, 'https://console.example.com']);
        expect(hash).toMatch(/^#code=mcl_[\w-]{43}$/);
      }),
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(0);
  });

  it('opens a session as the platform said, until its end', async () => {
    const { codeOf, open, principalOf, pass, observation } = await anApi();
    const code = await codeOf({ role: 'member' });
    pass(59);

    const { status, document } = await open(code);

    const sessionEndsAt = '2026-11-20T13:30:00.000Z';
    expect([status, document.expiresAt]).toEqual([201, sessionEndsAt]);
    expect(document).toMatchObject({ name: 'Console link', user: '/users/Ada%20Lovelace' });
    const token = String(document.id).split('/').at(-1);
    expect(await principalOf(document.token)).toEqual({
      ...{ user: 'Ada Lovelace', account: 'acme', role: 'member', token },
      expiresAt: sessionEndsAt,
    });
    expect(observation.logger.text).not.toContain(code);
    expect(observation.logger.text).not.toContain(document.token);
    pass(3_600);
    expect(await principalOf(document.token)).toBeUndefined();
  });

  it('opens once, of whomever try at the same time', async () => {
    const { codeOf, open } = await anApi();
    const code = await codeOf();

    const answers = await Promise.all([open(code), open(code), open(code)]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
    expect((await open(code)).document.type).toBe('/problems/console-link-expired');
  });

  it('answers every code that is not valid with the same problem', async () => {
    const { codeOf, createLink, open, pass, directory } = await anApi();
    const late = await codeOf();
    pass(60);
    const token = 'mst_'.padEnd(47, 'A');
    const guesses = ['', 'mcl_', `mcl_${'A'.repeat(43)}`, token, late, '\u0000', 'é'.repeat(1_000)];
    await createLink();

    const answers = await Promise.all(guesses.map(open));

    const { instance: _, ...problem } = answers[0]?.document ?? {};
    expect(problem).toMatchObject({ status: 403, type: '/problems/console-link-expired' });
    for (const { document } of answers) expect(document).toMatchObject(problem);
    expect(directory.tokens.all).toEqual([]);
  });

  it('has a code that is no access token', async () => {
    const { codeOf, principalOf } = await anApi();
    expect(await principalOf(await codeOf())).toBeUndefined();
  });

  it('lets into its own account alone', async () => {
    const { codeOf, open, principalOf } = await anApi();
    const { document } = await open(await codeOf({ user: 'u_ada' }, { account: 'globex' }));
    expect(await principalOf(document.token)).toMatchObject({ account: 'globex' });
  });

  it('of an account below opens a session of the organisation, for a member', async () => {
    const { codeOf, createLink, open, principalOf } = await anApi();
    const below = { account: 'acme-sms' };

    const { document } = await open(await codeOf({ role: 'member' }, below));

    expect(await principalOf(document.token)).toMatchObject({ account: 'acme', role: 'member' });
    expect((await createLink({}, below)).document.errors).toMatchObject([{ pointer: '/role' }]);
  });

  it('is made for no account that there is not', async () => {
    const { createLink, directory } = await anApi();
    const unknown = await createLink({}, { account: 'nobody' });
    const odd = await createLink({}, { account: '%20' });
    expect([unknown.status, odd.status]).toEqual([404, 404]);
    expect(directory.links.all).toEqual([]);
  });

  it.each([
    [{ user: undefined, role: undefined }, ['/user', '/role']],
    [{ user: '', role: 'owner' }, ['/user', '/role']],
    [{ user: 'x'.repeat(101) }, ['/user']],
    [{ user: 'Ada\nLovelace' }, ['/user']],
    [{ durationSeconds: 59 }, ['/durationSeconds']],
    [{ durationSeconds: 28_801 }, ['/durationSeconds']],
    [{ durationSeconds: 60.5 }, ['/durationSeconds']],
    [{ durationSeconds: '3600' }, ['/durationSeconds']],
    [{ account: 'globex' }, ['/account']],
    [{ page: 7 }, ['/page']],
    [{ page: `/${'x'.repeat(2_048)}` }, ['/page']],
    [{ user: 'u_bob', role: 'admin' }, ['/role']],
  ])('is refused with the faults of %j', async (body, pointers) => {
    const { createLink, directory } = await anApi();
    const { status, document } = await createLink(body);
    expect(status).toBe(422);
    expect(document.errors).toMatchObject(pointers.map((pointer) => ({ pointer })));
    expect(directory.links.all).toEqual([]);
  });

  it.each([
    'arn:aws:sts::444455556666:assumed-role/other/backend',
    'arn:aws:sts::444455556666:assumed-role/platform2/backend',
    'arn:aws:sts::111122223333:assumed-role/platform/backend',
    'arn:aws:iam::444455556666:user/platform',
    'arn:aws:iam::444455556666:root',
  ])('is made for no other caller: %s', async (userArn) => {
    const { createLink, directory } = await anApi();
    const { status } = await createLink({}, { userArn });
    expect(status).toBe(403);
    expect(directory.links.all).toEqual([]);
  });

  it('opens no session of an account whose removal has begun, and is not made', async () => {
    const { codeOf, createLink, open, directory } = await anApi();
    const code = await codeOf();
    const acme = await directory.accounts.find('acme');
    if (acme) await directory.accounts.beginRemoval(acme, new Date());

    expect((await open(code)).status).toBe(403);
    expect((await createLink()).status).toBe(404);
    expect((await createLink({ role: 'member' }, { account: 'acme-sms' })).status).toBe(404);
    expect(directory.tokens.all).toEqual([]);
  });

  it.each([
    ['a user who was removed', 'admin', undefined],
    ['a user who was removed', 'member', undefined],
    ['an admin who became a member', 'admin', 'member'],
  ])('opens no session of %s, as %s', async (_, role, later) => {
    const { codeOf, open, directory } = await anApi();
    const code = await codeOf({ user: 'u_ada', role });
    const ada = await directory.users.find('u_ada');
    if (ada && later === undefined) await directory.users.remove(ada);
    if (ada && later === 'member') await directory.users.replace({ ...ada, role: later });

    expect((await open(code)).document.type).toBe('/problems/console-link-expired');
    expect(directory.tokens.all).toEqual([]);
  });

  it.each(['admin', 'member'])('opens a session of a user, as %s', async (role) => {
    const { codeOf, open } = await anApi();
    expect((await open(await codeOf({ user: 'u_ada', role }))).status).toBe(201);
  });

  it('opens a session of a name that no user of the organisation has', async () => {
    const { codeOf, open, directory } = await anApi();
    const code = await codeOf({ user: 'u_eve', role: 'admin' });
    const eve = await directory.users.find('u_eve');
    if (eve) await directory.users.remove(eve);

    expect((await open(code)).status).toBe(201);
  });
});

describe('The session of a link', () => {
  it('can be revoked, and takes no place of a token, in the list or the quota', async () => {
    const { call, codeOf, directory, open, pass, principalOf } = await anApi();
    const opened = [(await open(await codeOf())).document];
    pass(1);
    opened.push((await open(await codeOf())).document);
    const session = directory.tokens.all.at(-1);
    if (session === undefined) throw new Error('There is no session.');
    for (let index = 0; index < customerLimits.accessTokensPerAccount; index += 1) {
      await directory.tokens.add({ ...session, id: `ses_${index}`, hash: `${index}` });
    }

    const body = { name: 'Reports', role: 'member' };
    const created = await call('POST', '/acme/access-tokens', { body, user: 'u_ada' });
    await call('DELETE', String(opened[0]?.id));

    expect(created.status).toBe(201);
    const { member } = (await call('GET', '/acme/access-tokens')).document as { member: object[] };
    expect(member).toMatchObject([{ id: created.document?.id }]);
    expect(await principalOf(opened[0]?.token)).toBeUndefined();
    expect(await principalOf(opened[1]?.token)).toBeDefined();
  });

  it('is none of a user of another organisation, whatever its user is called', async () => {
    const { call } = await anApi();
    const session = { user: 'u_eve', expiresAt: '2026-11-20T13:30:00.000Z' };

    const { document: me } = await call('GET', '/me', session);
    const body = { name: 'Reports', role: 'admin', expiresAt: session.expiresAt };
    const created = await call('POST', '/acme/access-tokens', { ...session, body });

    expect(me).toMatchObject({ userName: 'u_eve', account: '/accounts/acme' });
    expect(created.status).toBe(404);
  });

  it('makes changes in the name of its user', async () => {
    const { call } = await anApi();
    const { document } = await call('GET', '/me', { user: 'Zoë 🖋' });
    expect(document).toMatchObject({ userName: 'Zoë 🖋' });
  });
});
