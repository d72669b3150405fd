import { JwtVerifier } from 'aws-jwt-verify';
import {
  FetchError,
  JwksValidationError,
  JwkValidationError,
  JwtBaseError,
} from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import type { SignInIdentity, SignInTokens } from '../../core/directory/sign-in.ts';

export interface SignInProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly jwksUri: string;
}

/** How long reading the provider's keys may take: API Gateway waits 10 s for the authorizer. */
const JWKS_DEADLINE_MS = 3_000;

/** The one algorithm of Amazon Cognito. */
const ALGORITHM = 'RS256';

/** OpenID Connect Core 1.0, section 2. */
const MAX_SUBJECT_LENGTH = 255;

/**
 * Verifies the access tokens of an OpenID provider, in Amazon Cognito's form: `client_id`, and
 * `access` as `token_use`. Keys are read again for an unknown one, at most every ten seconds.
 */
export class JwksSignInTokens implements SignInTokens {
  readonly #verifier;
  readonly #clientId: string;

  constructor(
    { issuer, clientId, jwksUri }: SignInProvider,
    { jwksDeadlineMs = JWKS_DEADLINE_MS } = {},
  ) {
    this.#clientId = clientId;
    this.#verifier = JwtVerifier.create(
      // An access token of Cognito has no audience.
      { issuer, audience: null, jwksUri },
      { jwksCache: new SimpleJwksCache({ fetcher: fetcherWithin(jwksDeadlineMs) }) },
    );
  }

  async verify(jwt: string): Promise<SignInIdentity | undefined> {
    try {
      if (decomposeUnverifiedJwt(jwt).header.alg !== ALGORITHM) return undefined;
      return this.#identityIn(await this.#verifier.verify(jwt));
    } catch (fault) {
      if (isOfToken(fault)) return undefined;
      throw fault;
    }
  }

  /** The verifier lets tokens pass that never expire. */
  #identityIn({ iss, sub = '', exp, ...claims }: JwtPayload): SignInIdentity | undefined {
    const isOfConsole = claims.client_id === this.#clientId && claims.token_use === 'access';
    const isUsable = sub.length > 0 && sub.length <= MAX_SUBJECT_LENGTH && exp !== undefined;
    return isOfConsole && isUsable && iss !== undefined ? { issuer: iss, subject: sub } : undefined;
  }
}

/** The verifier's own fetcher takes addresses of https alone, and a run on one machine has http. */
const fetcherWithin = (deadlineMs: number) => ({
  fetch: async (uri: string): Promise<ArrayBuffer> => {
    const signal = AbortSignal.timeout(deadlineMs);
    const response = await fetch(uri, { signal, redirect: 'error' });
    if (response.ok) return response.arrayBuffer();
    await response.body?.cancel();
    throw new Error(`The keys of the sign-in are not at ${uri}: status ${response.status}.`);
  },
});

/** Whether the fault is the token's, and not that of the provider's keys or of reading them. */
const isOfToken = (fault: unknown): boolean =>
  fault instanceof JwtBaseError &&
  !(fault instanceof FetchError) &&
  !(fault instanceof JwksValidationError) &&
  !(fault instanceof JwkValidationError);
