import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleServer, startConsoleServer } from '../../../local/console/console-server.ts';
import {
  ADA,
  API,
  LINK,
  PLATFORM,
  startConsoleUnderTest,
} from '../../support/local/console-under-test.ts';

let server: ConsoleServer;
beforeAll(async () => {
  server = await startConsoleUnderTest();
});
afterAll(() => server.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends the path as it is, and decodes nothing, unlike `fetch`. */
const call = (
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  { origin } = server,
): Promise<Answer> => {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers: { host, ...headers } };
    const sent = request(options, async (response) => {
      const body = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, body });
    });
    sent.once('error', reject).end();
  });
};

describe('the console on this machine', () => {
  it.each(['/', '/index.html', '/accounts', '/accounts/acme/settings', '/accounts?cursor=a.b'])(
    'is one page at every address of its own: %s',
    async (path) => {
      const { status, headers, body } = await call(path);

      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      });
      expect(body.toString()).toContain('<title>The console</title>');
    },
  );

  it('is told where the API is and where to sign in', async () => {
    const { headers, body } = await call('/config.json');

    expect(headers['cache-control']).toBe('no-cache');
    expect(JSON.parse(body.toString())).toEqual({
      api: API,
      signIn: { issuer: `${server.origin}/oidc`, clientId: 'console' },
    });
  });

  it('leads from the page of a platform to a new link', async () => {
    const { status, headers } = await call('/link');

    expect([status, headers.location]).toEqual([303, LINK]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('keeps files whose name changes with their content for a year', async () => {
    const { headers } = await call('/assets/index-abc123.js');

    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('tells the type of a picture', async () => {
    const { headers } = await call('/assets/picture-def456.png');

    expect(headers['content-type']).toBe('image/png');
  });

  it('answers HEAD as GET, without the body', async () => {
    const { status, headers, body } = await call('/', { method: 'HEAD' });

    expect(status).toBe(200);
    expect(headers['content-length']).toBe(String((await call('/')).body.length));
    expect(body).toHaveLength(0);
  });

  it.each([
    '/assets/index-old.js',
    '/favicon.ico',
    '/.built-from',
    '/../package.json',
    '/assets/../../package.json',
    '/..%2fpackage.json',
    '/assets/..\\..\\package.json',
    '//example.com/x.js',
  ])('has no file %s', async (path) => {
    const { status, body } = await call(path);

    expect([status, body.toString()]).toEqual([404, 'The file does not exist.\n']);
  });

  it.each(['/%', '/%2e%2e/%2e%2e/etc/passwd', '/accounts/%00'])(
    'shows its page at the odd address %s',
    async (path) => {
      expect((await call(path)).body.toString()).toContain('<title>The console</title>');
    },
  );

  it('takes no other method', async () => {
    const { status, headers } = await call('/accounts', { method: 'POST' });

    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/', '/config.json', '/assets/index-old.js', '/oidc/jwks', '/oidc/pages.css'])(
    'has the headers that keep other sites away: %s',
    async (path) => {
      const { headers } = await call(path);

      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  it.each([
    ['/', PLATFORM, undefined],
    ['/config.json', PLATFORM, undefined],
    ['/oidc/jwks', "'none'", 'DENY'],
    ['/mailbox', "'none'", 'DENY'],
  ])('is framed by the platform, but its sign-in and mails by none: %s', async (path, by, deny) => {
    const { headers } = await call(path);

    expect(headers['content-security-policy']).toMatch(new RegExp(`frame-ancestors ${by}$`));
    expect(headers['x-frame-options']).toBe(deny);
  });

  it('may talk to the API and to nothing else', async () => {
    const { headers } = await call('/accounts');

    expect(headers['content-security-policy']).toContain(
      `connect-src 'self' ${API} ${server.origin};`,
    );
  });

  it('leads a client that names the address to the name', async () => {
    const { port } = new URL(server.origin);
    const { status, headers } = await call('/accounts?x=1', {
      headers: { host: `127.0.0.1:${port}` },
    });

    expect([status, headers.location]).toEqual([307, `${server.origin}/accounts?x=1`]);
  });

  it.each(['attacker.example', 'localhost', 'localhost:1'])(
    'shows nothing under the name %s, which others may point to this machine',
    async (host) => {
      for (const path of ['/', '/config.json', '/oidc/jwks']) {
        const { status, body } = await call(path, { headers: { host } });

        expect([status, body.toString()]).toEqual([421, '']);
      }
    },
  );
});

describe('the console while the service starts', () => {
  it('says so, and looks again by itself', async () => {
    const starting = await startConsoleServer({ port: 0, embedIn: [], users: [ADA] });
    const { status, headers, body } = await call('/accounts', {}, starting);
    await starting.close();

    expect(status).toBe(503);
    expect(headers.refresh).toBe('1');
    expect(body.toString()).toContain('The service is starting.');
  });
});

describe('a console whose port is taken', () => {
  it('names the option for another port', async () => {
    const port = Number(new URL(server.origin).port);

    await expect(startConsoleServer({ port, embedIn: [], users: [ADA] })).rejects.toThrow(
      `Port ${port} is already taken: choose another with --console-port.`,
    );
  });
});
