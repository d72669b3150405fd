import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { ConsoleUser } from './console-users.ts';
import { messagePage, signOutPage } from './pages.ts';
import { createSignIn } from './sign-in.ts';
import { PROVIDER_PATH, SIGN_IN_PATH, signInAt } from './sign-in-addresses.ts';

/** The provider's own memory. Passed as an adapter, it prints no warning. Its file has no types. */
const { createMemoryAdapter } = createRequire(import.meta.url)(
  'oidc-provider/lib/adapters/memory_adapter.js',
);

/** The one audience of access tokens; a client need not ask for it. */
const API_RESOURCE = 'urn:integrations-service:api';

const LIFETIMES = {
  AccessToken: 5 * 60,
  IdToken: 5 * 60,
  Interaction: 60 * 60,
  RefreshToken: 12 * 60 * 60,
  Session: 12 * 60 * 60,
  Grant: 12 * 60 * 60,
};

const FEATURES: Configuration['features'] = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => API_RESOURCE,
    getResourceServerInfo: () => ({
      scope: '',
      accessTokenFormat: 'jwt',
      accessTokenTTL: LIFETIMES.AccessToken,
      jwt: { sign: { alg: 'RS256' } },
    }),
    useGrantedResource: () => true,
  },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) =>
      show(ctx, signOutPage(form, { mustAsk: ctx.oidc.entities.IdTokenHint === undefined })),
    postLogoutSuccessSource: (ctx) =>
      show(ctx, messagePage('Signed out', 'You are signed out of the console.')),
  },
  userinfo: { enabled: false },
};

export interface IdentityProviderOptions {
  readonly origin: string;
  readonly users: readonly ConsoleUser[];
}

/** An OpenID provider for the console: authorization code with PKCE, and JWTs as access tokens. */
const createIdentityProvider = async ({
  origin,
  users,
}: IdentityProviderOptions): Promise<Provider> => {
  const { clientId, issuer } = signInAt(origin);
  const settings: Configuration = {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${origin}/signed-in`],
        post_logout_redirect_uris: [`${origin}/signed-out`],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ],
    clientBasedCORS: (_, asking) => asking === origin,
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // Browsers share the cookies of all ports of a machine.
      names: cookieNames(new URL(origin).port),
    },
    extraTokenClaims: () => ({ token_use: 'access' }),
    features: FEATURES,
    findAccount: (_, username) =>
      users.some((user) => user.username === username)
        ? { accountId: username, claims: () => ({ sub: username }) }
        : undefined,
    interactions: { url: (_, { uid }) => `${SIGN_IN_PATH}${uid}` },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: [await newSigningKey()] },
    loadExistingGrant: grantEverything,
    renderError: (ctx, { error, error_description: description }) =>
      show(ctx, messagePage('The sign-in did not work', description ?? error)),
    responseTypes: ['code'],
    scopes: ['openid'],
    ttl: LIFETIMES,
  };
  return new Provider(issuer, settings);
};

const cookieNames = (port: string) => ({
  session: `console_session_${port}`,
  interaction: `console_sign_in_${port}`,
  resume: `console_resume_${port}`,
});

const newSigningKey = async (): Promise<JsonWebKey> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
};

/** The console belongs to the service: users need not consent. */
const grantEverything = async ({ oidc }: KoaContextWithOIDC) => {
  const grant = new oidc.provider.Grant({
    accountId: oidc.session?.accountId,
    clientId: oidc.client?.clientId,
  });
  grant.addOIDCScope('openid');
  await grant.save();
  return grant;
};

const show = (ctx: KoaContextWithOIDC, html: string): void => {
  ctx.type = 'html';
  ctx.body = html;
};

/** Answers requests for the OpenID provider and for its page to sign in. */
export const createProviderAnswer = async (options: IdentityProviderOptions) => {
  const provider = await createIdentityProvider(options);
  const callback = provider.callback();
  const signIn = createSignIn(provider, options.users);

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '' } = request;
    if (url.startsWith(SIGN_IN_PATH)) return signIn(request, response);
    // As Express does it: the provider's routes begin behind its path, and it finds out the path.
    Object.assign(request, { originalUrl: url, url: url.slice(PROVIDER_PATH.length) });
    return callback(request, response);
  };
};
