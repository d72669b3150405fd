import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleServer } from '../../../local/console/console-server.ts';
import { claimsOf, createConsoleSignIn, tokensIn } from '../../support/local/console-sign-in.ts';
import { ADA, startConsoleUnderTest } from '../../support/local/console-under-test.ts';

let server: ConsoleServer;
let client: ReturnType<typeof createConsoleSignIn>;
beforeEach(async () => {
  server = await startConsoleUnderTest();
  client = createConsoleSignIn(server.origin);
});
afterEach(() => server.close());

describe('the sign-in to the console', () => {
  it('gives access tokens that the authorizer takes', async () => {
    const { access_token: token } = await client.signIn(ADA);

    expect(claimsOf(token)).toMatchObject({
      iss: server.signIn.issuer,
      sub: 'ada',
      client_id: server.signIn.clientId,
      token_use: 'access',
      exp: expect.any(Number),
    });
    const [header = ''] = token.split('.');
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const { keys } = JSON.parse(await (await fetch(server.signIn.jwksUri)).text());
    expect(alg).toBe('RS256');
    expect(keys).toEqual([expect.objectContaining({ kid, use: 'sig', alg: 'RS256' })]);
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('takes a refresh token once', async () => {
    const { refresh_token: token } = await client.signIn(ADA);
    const renewed = await tokensIn(await client.refresh(token));

    expect(claimsOf(renewed.access_token)).toMatchObject({ sub: 'ada', token_use: 'access' });
    expect((await client.refresh(token)).status).toBe(400);
  });
});

describe('the page to sign in', () => {
  const attempt = async (form: { username: string; password: string }) => {
    const { url } = await client.begin();
    return client.browser.open(url, form);
  };

  it('has labelled fields, and tells who can sign in', async () => {
    const { status, text } = await client.begin();

    expect(status).toBe(200);
    expect(text).toContain('<label for="username">Username</label>');
    expect(text).toContain('<label for="password">Password</label>');
    expect(text).toContain('<button>Sign in</button>');
    for (const shown of ['ada', 'a-b-c', 'admin of acme']) expect(text).toContain(shown);
  });

  it('loads and sends nothing from or to another site', async () => {
    const { headers, text } = await client.begin();
    const policy = headers.get('content-security-policy');

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]*)"/g)) {
      const { status } = await fetch(server.origin + address);
      expect([address, status]).toEqual([address, 200]);
    }
  });

  it.each([
    ['a wrong password', { username: 'ada', password: 'a-b-d' }],
    ['an unknown username', { username: 'eve', password: 'a-b-c' }],
    ['an unknown username without a password', { username: 'eve', password: '' }],
    ['nothing', { username: '', password: '' }],
  ])('refuses %s in the same words', async (_case, form) => {
    const { status, text } = await attempt(form);

    expect(status).toBe(422);
    expect(text).toContain('role="alert">The username or the password is wrong.</p>');
    expect(text).toContain(`value="${form.username}"`);
  });

  it('shows what was typed as text', async () => {
    const { text } = await attempt({ username: '"><script>alert(1)</script>', password: 'x' });

    expect(text).not.toContain('<script');
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('shows nothing of a sign-in that another browser began', async () => {
    const { url } = await client.begin();
    const { status, text } = await createConsoleSignIn(server.origin).browser.open(url);

    expect(status).toBe(400);
    expect(text).not.toContain('a-b-c');
    expect(text).toContain('<a href="/">Go to the console</a>');
  });
});

describe('the way out of the console', () => {
  const signOut = async (overrides: Readonly<Record<string, string>>) => {
    const { end_session_endpoint: address } = await client.discover();
    const back = { post_logout_redirect_uri: `${server.origin}/signed-out` };
    return client.browser.open(`${address}?${new URLSearchParams({ ...overrides, ...back })}`);
  };
  const confirm = async (page: { readonly text: string }) => {
    const { action = '' } = /action="(?<action>[^"]+)"/.exec(page.text)?.groups ?? {};
    const { xsrf = '' } = /name="xsrf" value="(?<xsrf>[^"]+)"/.exec(page.text)?.groups ?? {};
    return client.browser.open(action, { xsrf, logout: 'yes' });
  };

  it('ends the sign-in and its refresh tokens, and leads back', async () => {
    const { id_token, refresh_token } = await client.signIn(ADA);
    const page = await signOut({ id_token_hint: id_token });
    expect(page.text).toContain('<script src="/oidc/sign-out.js"');
    const left = await confirm(page);

    expect(left.url).toBe(`${server.origin}/signed-out`);
    expect((await client.refresh(refresh_token)).status).toBe(400);
    expect((await client.begin()).url).toContain('/interaction/');
  });

  it('asks when a page cannot tell who is signed in', async () => {
    await client.signIn(ADA);
    const page = await signOut({ client_id: 'console' });

    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('value="yes">Sign out</button>');
    expect((await client.begin()).url).toContain('/signed-in?code=');
  });
});
