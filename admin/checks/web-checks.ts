import * as z from 'zod';
import { AdministrationError } from '../../core/refusal.ts';
import type { Check } from './check.ts';

/** The part of the global `fetch` that the checks use. */
type Fetch = (
  url: string,
  options: { signal: AbortSignal; redirect: 'follow' | 'manual' },
) => Promise<Response>;

export interface WebPorts {
  readonly fetch: Fetch;
  apiUrl(): Promise<string>;
  /** undefined if the stage has no web console. */
  consoleUrl(): Promise<string | undefined>;
}

const NO_CONSOLE = { absent: 'the stage has no web console' };

/** Checks of what callers of the API and users of the console see. */
export const webChecks = (ports: WebPorts): readonly Check[] => [
  ...apiChecks(ports),
  consoleCheck(ports),
  signInCheck(ports),
];

const apiChecks = ({ fetch, apiUrl }: WebPorts): Check[] => {
  const get = async (path: string, signal: AbortSignal): Promise<Answer> =>
    ask(fetch, `${await apiUrl()}${path}`, { signal });
  return [
    {
      name: 'API',
      look: async (signal) => {
        const answer = await get('/openapi.json', signal);
        expectAnswer(answer, 200, { 'content-type': /json/ });
        return `${answer.url}: OpenAPI ${parsed(OPENAPI, answer).openapi}`;
      },
    },
    {
      name: 'docs page',
      look: async (signal) =>
        expectAnswer(await get('/docs', signal), 200, { 'content-type': /^text\/html/ }),
    },
    {
      name: 'unknown path',
      look: async (signal) => expectAnswer(await get('/no-such-path', signal), 404, PROBLEM),
    },
    {
      name: 'missing token',
      look: async (signal) =>
        expectAnswer(await get('/me', signal), 401, { ...PROBLEM, 'www-authenticate': /^Bearer/ }),
    },
  ];
};

const PROBLEM = { 'content-type': /^application\/problem\+json/ };
const OPENAPI = z.object({ openapi: z.string() });
const CONFIG = z.object({
  api: z.string(),
  signIn: z.object({ issuer: z.url(), clientId: z.string() }).optional(),
});
const DISCOVERY = z.object({ authorization_endpoint: z.url() });

const consoleCheck = ({ fetch, apiUrl, consoleUrl }: WebPorts): Check => ({
  name: 'console',
  look: async (signal) => {
    const [origin, api] = await Promise.all([consoleUrl(), apiUrl()]);
    if (origin === undefined) return NO_CONSOLE;
    const page = await ask(fetch, `${origin}/`, { signal });
    expectAnswer(page, 200, { 'content-type': /^text\/html/, 'content-security-policy': /./ });
    const policy = page.headers.get('content-security-policy') ?? '';
    if (!policy.includes(new URL(api).origin)) {
      throw new AdministrationError(`${page.url} has a policy that does not allow calls of ${api}`);
    }
    const config = await readConfig(fetch, origin, signal);
    if (config.api === api) return page.url;
    throw new AdministrationError(`${origin}/config.json names the API ${config.api}, not ${api}`);
  },
});

/** Begins a sign-in as the console does, up to the page that asks for the password. */
const signInCheck = ({ fetch, consoleUrl }: WebPorts): Check => ({
  name: 'sign-in page',
  look: async (signal) => {
    const origin = await consoleUrl();
    if (origin === undefined) return NO_CONSOLE;
    const { signIn } = await readConfig(fetch, origin, signal);
    if (signIn === undefined) return { absent: 'the stage has no user pool' };
    const discovery = await ask(fetch, `${signIn.issuer}/.well-known/openid-configuration`, {
      signal,
    });
    expectAnswer(discovery, 200);
    const address = new URL(parsed(DISCOVERY, discovery).authorization_endpoint);
    address.search = new URLSearchParams({
      client_id: signIn.clientId,
      redirect_uri: `${origin}/signed-in`,
      response_type: 'code',
      scope: 'openid',
    }).toString();
    const page = await ask(fetch, address.href, { signal, redirect: 'follow' });
    expectAnswer(page, 200, { 'content-type': /^text\/html/ });
    const { origin: pages, pathname } = new URL(page.url);
    // Cognito shows its refusals at another path, also with 200.
    if (pathname === '/login') return `${pages}${pathname}`;
    throw new AdministrationError(`${pages} leads to ${pathname} instead of /login`);
  },
});

const readConfig = async (fetch: Fetch, origin: string, signal: AbortSignal) => {
  const answer = await ask(fetch, `${origin}/config.json`, { signal });
  expectAnswer(answer, 200);
  return parsed(CONFIG, answer);
};

interface Answer extends Pick<Response, 'url' | 'status' | 'headers'> {
  readonly text: string;
}

/** Throws AdministrationError when no answer comes. */
const ask = async (
  fetch: Fetch,
  url: string,
  { signal, redirect = 'manual' }: { signal: AbortSignal; redirect?: 'follow' | 'manual' },
): Promise<Answer> => {
  try {
    const response = await fetch(url, { signal, redirect });
    const { status, headers } = response;
    return { url: response.url || url, status, headers, text: await response.text() };
  } catch (fault) {
    // `fetch` itself says no more than that it failed.
    const { cause = fault } = fault instanceof Error ? fault : {};
    throw new AdministrationError(`${url} does not answer: ${cause}`);
  }
};

/** Returns the address. Throws AdministrationError when status or headers are others. */
const expectAnswer = (
  { url, status, headers }: Answer,
  expected: number,
  patterns: Readonly<Record<string, RegExp>> = {},
): string => {
  if (status !== expected) {
    throw new AdministrationError(`${url} answers ${status} instead of ${expected}`);
  }
  for (const [name, pattern] of Object.entries(patterns)) {
    const value = headers.get(name);
    if (value === null) throw new AdministrationError(`${url} answers without ${name}`);
    if (!pattern.test(value)) throw new AdministrationError(`${url} answers with ${name} ${value}`);
  }
  return `${url}: ${status}`;
};

const parsed = <Document>(schema: z.ZodType<Document>, { url, text }: Answer): Document => {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new AdministrationError(`${url} answers with another document than expected`);
  }
};
