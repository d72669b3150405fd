import { bearerToken, hashAccessToken } from './access-token.ts';
import type { Principal } from './principal.ts';

export interface AccessTokens {
  /** The principal of a token; undefined when unknown or revoked. Strongly consistent. */
  findPrincipal(tokenHash: string): Promise<Principal | undefined>;
}

/**
 * The principal of an Authorization header; undefined when the header is malformed, or its token
 * is unknown or revoked.
 */
export const buildAuthenticate =
  (ports: { tokens: AccessTokens }) =>
  async (authorization: string): Promise<Principal | undefined> => {
    const token = bearerToken(authorization);
    return token === undefined ? undefined : ports.tokens.findPrincipal(hashAccessToken(token));
  };
