import { bearerIn, hashAccessToken, isAccessToken } from './access-token.ts';
import type { Principal } from './principal.ts';
import type { IdentifiedUsers, SignInTokens } from './sign-in.ts';
import { roleOf } from './user.ts';

export interface AccessTokens {
  /** The principal of a token; undefined when unknown or revoked. Strongly consistent. */
  findPrincipal(tokenHash: string): Promise<Principal | undefined>;
}

interface AuthenticationPorts {
  readonly tokens: AccessTokens;
  /** Absent where nobody can sign in: then only access tokens are known. */
  readonly signIn?: { readonly tokens: SignInTokens; readonly users: IdentifiedUsers };
}

/**
 * The principal of an Authorization header, which has an access token of ours or the token of a
 * person who signed in. undefined when the header is malformed, or its token is unknown, revoked or
 * not valid, or belongs to nobody of the Directory.
 */
export const buildAuthenticate =
  ({ tokens, signIn }: AuthenticationPorts) =>
  async (authorization: string): Promise<Principal | undefined> => {
    const bearer = bearerIn(authorization);
    if (bearer === undefined) return undefined;
    if (isAccessToken(bearer)) return tokens.findPrincipal(hashAccessToken(bearer));
    const identity = await signIn?.tokens.verify(bearer);
    const user = identity && (await signIn?.users.findUser(identity));
    return user && { user: user.id, account: user.primaryAccount, role: roleOf(user) };
  };
