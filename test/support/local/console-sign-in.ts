import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { Browser } from './browser.ts';

const discoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  end_session_endpoint: z.string(),
  jwks_uri: z.string(),
});

const tokensSchema = z.object({
  access_token: z.string(),
  id_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number(),
});

type ConsoleTokens = z.output<typeof tokensSchema>;

/** The steps of the console's sign-in as a browser and the console take them, by plain HTTP. */
export const createConsoleSignIn = (origin: string) => {
  const browser = new Browser('/signed-in');
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = `${origin}/signed-in`;

  const discover = async () => {
    const response = await fetch(`${origin}/oidc/.well-known/openid-configuration`);
    return discoverySchema.parse(await response.json());
  };
  /** The page that shows up: the form to sign in, or the console's own page when signed in already. */
  const begin = async () => {
    const url = new URL((await discover()).authorization_endpoint);
    url.search = new URLSearchParams({
      client_id: 'console',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: redirectUri,
      state: 'a-state',
      nonce: 'a-nonce',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString();
    return browser.open(url.href);
  };
  const askForTokens = async (form: Readonly<Record<string, string>>) =>
    fetch((await discover()).token_endpoint, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ client_id: 'console', ...form }),
    });
  return {
    browser,
    discover,
    begin,
    refresh: (token: string) => askForTokens({ grant_type: 'refresh_token', refresh_token: token }),
    /** The whole way, to the tokens. */
    signIn: async (user: { username: string; password: string }): Promise<ConsoleTokens> => {
      const { url } = await begin();
      const { username, password } = user;
      const signedIn = new URL((await browser.open(url, { username, password })).url);
      const response = await askForTokens({
        grant_type: 'authorization_code',
        code: signedIn.searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: redirectUri,
      });
      return tokensIn(response);
    },
  };
};

export const tokensIn = async (response: Response): Promise<ConsoleTokens> =>
  tokensSchema.parse(await response.json());

export const claimsOf = (jwt: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
