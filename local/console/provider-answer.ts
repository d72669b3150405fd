import type { IncomingMessage, ServerResponse } from 'node:http';
import { createIdentityProvider, type IdentityProviderOptions } from './identity-provider.ts';
import { createSignIn } from './sign-in.ts';
import { PROVIDER_PATH, SIGN_IN_PATH } from './sign-in-addresses.ts';

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
