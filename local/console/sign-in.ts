import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from 'local-aws/http-server.ts';
import type Provider from 'oidc-provider';
import { type ConsoleUser, createPasswordCheck } from './console-users.ts';
import { messagePage, signInPage } from './pages.ts';

/** Far more than a username and a password. */
const MAXIMUM_FORM_BYTES = 4_096;

const REASONS = {
  wrong: 'The username or the password is wrong.',
  'too many': 'Too many wrong passwords. Try again in half a minute.',
};
const STATUSES = { wrong: 422, 'too many': 429 };

export const createSignIn = (provider: Provider, users: readonly ConsoleUser[]) => {
  const check = createPasswordCheck(users);

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isExpected = await provider.interactionDetails(request, response).then(
      () => true,
      () => false,
    );
    if (!isExpected) {
      const text = 'This sign-in has expired, or began in another browser.';
      return show(response, 400, messagePage('Sign in again', text));
    }
    if (request.method !== 'POST') return show(response, 200, signInPage({ users }));
    const form = new URLSearchParams(
      (await readBody(request, MAXIMUM_FORM_BYTES))?.toString() ?? '',
    );
    const username = (form.get('username') ?? '').trim();
    const attempt = check(username, form.get('password') ?? '');
    if (typeof attempt === 'string') {
      const refused = { username, reason: REASONS[attempt] };
      return show(response, STATUSES[attempt], signInPage({ users, refused }));
    }
    const login = { accountId: attempt.username };
    await provider.interactionFinished(request, response, { login });
  };
};

const show = (response: ServerResponse, status: number, html: string): void => {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(html);
};
