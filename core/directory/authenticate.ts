import { bearerToken, hashAccessToken } from './access-token.ts';
import type { Principal } from './principal.ts';

export interface AccessTokens {
  /** Whom the token of this hash speaks for; undefined when unknown or revoked. Strongly consistent. */
  findPrincipal(tokenHash: string): Promise<Principal | undefined>;
}

/** Resolves to undefined for a header that is malformed and a token that is unknown or revoked. */
export const buildAuthenticate =
  (ports: { tokens: AccessTokens }) =>
  async (authorization: string): Promise<Principal | undefined> => {
    const token = bearerToken(authorization);
    return token === undefined ? undefined : ports.tokens.findPrincipal(hashAccessToken(token));
  };
