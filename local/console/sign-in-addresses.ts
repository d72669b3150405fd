export interface SignIn {
  readonly issuer: string;
  /** The client that the console is. It is public: it has no secret, and must use PKCE. */
  readonly clientId: string;
  readonly jwksUri: string;
}

/** The addresses of the console that the service needs. */
export interface ConsoleAddresses {
  /** Of the pages that may call the API from a browser. */
  readonly origin: string;
  readonly signIn: SignIn;
}

/** Of everything of the OpenID provider, on the console's server. */
export const PROVIDER_PATH = '/oidc';

export const SIGN_IN_PATH = `${PROVIDER_PATH}/interaction/`;

export const signInAt = (origin: string): SignIn => {
  const issuer = `${origin}${PROVIDER_PATH}`;
  return { issuer, clientId: 'console', jwksUri: `${issuer}/jwks` };
};
