import { type ListeningServer, startHttpServer } from 'local-aws/http-server.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { runChecks } from '../../../admin/checks/check.ts';
import { webChecks } from '../../../admin/checks/web-checks.ts';

interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** By path. The API, the console, the user pool and the login pages, at one origin. */
type Site = Readonly<Record<string, Page>>;

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };
const PROBLEM = { 'content-type': 'application/problem+json' };

const siteAt = (origin: string, hasSignIn: boolean): Site => ({
  '/v1/openapi.json': { headers: JSON_TYPE, body: '{"openapi":"3.1.1"}' },
  '/v1/docs': { headers: HTML },
  '/v1/no-such-path': { status: 404, headers: PROBLEM },
  '/v1/me': { status: 401, headers: { ...PROBLEM, 'www-authenticate': 'Bearer' } },
  '/console/': { headers: { ...HTML, 'content-security-policy': `connect-src ${origin}` } },
  '/console/config.json': {
    body: JSON.stringify({
      api: `${origin}/v1`,
      ...(hasSignIn && { signIn: { issuer: `${origin}/pool`, clientId: 'c1' } }),
    }),
  },
  '/pool/.well-known/openid-configuration': {
    body: `{"authorization_endpoint":"${origin}/oauth2/authorize"}`,
  },
  '/oauth2/authorize': { status: 302, headers: { location: '/login?client_id=c1' } },
  '/login': { headers: HTML, body: 'Sign in' },
  '/error': { headers: HTML, body: 'redirect_mismatch' },
});

let server: ListeningServer | undefined;
afterEach(() => server?.close());

/** The results of the checks, where some pages are others. */
const verify = async (others: Site = {}, { hasConsole = true, hasSignIn = true } = {}) => {
  const asked: string[] = [];
  server = await startHttpServer({
    handle: ({ path, query }) => {
      asked.push(`${path}?${query}`);
      const {
        status = 200,
        headers = {},
        body = '',
      } = { ...site, ...others }[path] ?? {
        status: 500,
      };
      return { status, headers: Object.entries(headers), body };
    },
  });
  const { origin } = server;
  const site = siteAt(origin, hasSignIn);
  const checks = webChecks({
    fetch,
    apiUrl: async () => `${origin}/v1`,
    consoleUrl: async () => (hasConsole ? `${origin}/console` : undefined),
  });
  const results = await runChecks(checks, (fault) => String(fault));
  return { origin, asked, results };
};

const rowOf = async (check: string, others: Site) =>
  (await verify(others)).results.find((row) => row.check === check);

describe('a stage seen from outside', () => {
  it('is good if API, docs, console and sign-in answer as they should', async () => {
    const { origin, asked, results } = await verify();

    expect(results.map(({ check, result }) => [check, result])).toEqual([
      ['API', 'ok'],
      ['docs page', 'ok'],
      ['unknown path', 'ok'],
      ['missing token', 'ok'],
      ['console', 'ok'],
      ['sign-in page', 'ok'],
    ]);
    const [, query] = asked.find((path) => path.startsWith('/oauth2'))?.split('?') ?? [];
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      client_id: 'c1',
      redirect_uri: `${origin}/console/signed-in`,
      response_type: 'code',
      scope: 'openid',
    });
  });

  it('may have no console', async () => {
    const { results } = await verify({}, { hasConsole: false });

    expect(results.slice(-2)).toEqual(
      ['console', 'sign-in page'].map((check) => ({
        check,
        result: 'not in this stage',
        detail: 'the stage has no web console',
      })),
    );
  });

  it('may have no user pool', async () => {
    const { results } = await verify({}, { hasSignIn: false });
    const result = 'not in this stage';

    expect(results.slice(-2)).toMatchObject([
      { check: 'console', result: 'ok' },
      { check: 'sign-in page', result, detail: 'the stage has no user pool' },
    ]);
  });

  it.each<[string, Site, RegExp]>([
    ['API', { '/v1/openapi.json': { status: 502 } }, /answers 502 instead of 200/],
    ['API', { '/v1/openapi.json': { headers: JSON_TYPE, body: '{}' } }, /another document/],
    ['docs page', { '/v1/docs': { headers: JSON_TYPE } }, /content-type application\/json/],
    ['unknown path', { '/v1/no-such-path': { status: 403 } }, /answers 403 instead of 404/],
    ['unknown path', { '/v1/no-such-path': { status: 404, headers: HTML } }, /text\/html/],
    ['missing token', { '/v1/me': { headers: JSON_TYPE } }, /answers 200 instead of 401/],
    ['missing token', { '/v1/me': { status: 401, headers: PROBLEM } }, /without www-authenticate/],
    ['console', { '/console/': { headers: HTML } }, /without content-security-policy/],
    [
      'console',
      { '/console/': { headers: { ...HTML, 'content-security-policy': "default-src 'none'" } } },
      /does not allow calls/,
    ],
    ['console', { '/console/config.json': { body: '{}' } }, /another document/],
    [
      'console',
      {
        '/console/config.json': {
          body: '{"api":"https://old","signIn":{"issuer":"https://x","clientId":"c"}}',
        },
      },
      /names the API https:\/\/old/,
    ],
    [
      'sign-in page',
      { '/oauth2/authorize': { status: 302, headers: { location: '/error' } } },
      /leads to \/error/,
    ],
    ['sign-in page', { '/login': { status: 400 } }, /answers 400/],
    ['sign-in page', { '/pool/.well-known/openid-configuration': { status: 404 } }, /404/],
  ])('shows the fault of its part: %s, %o', async (check, others, detail) => {
    expect(await rowOf(check, others)).toEqual({
      check,
      result: 'failed',
      detail: expect.stringMatching(detail),
    });
  });

  it('says which address does not answer, and why', async () => {
    const { origin, close } = await startHttpServer({ handle: () => 500 });
    await close();
    const checks = webChecks({
      fetch,
      apiUrl: async () => origin,
      consoleUrl: async () => undefined,
    });

    expect(await runChecks(checks, (fault) => String(fault))).toContainEqual({
      check: 'docs page',
      result: 'failed',
      detail: expect.stringMatching(/\/docs does not answer: .*ECONNREFUSED/),
    });
  });
});
