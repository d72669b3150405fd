import { bearerIn, hasExpired, hashAccessToken, isAccessToken } from './access-token.ts';
import type { IdentifiedUsers, SignInTokens } from './sign-in.ts';
import { type Principal, roleOf } from './user.ts';

export interface AccessTokens {
  /** Undefined for an unknown or revoked token. Strongly consistent. */
  findPrincipal(tokenHash: string): Promise<TokenPrincipal | undefined>;
  /** Notes that a token was used at an instant, unless a use after `unlessAfter` is noted. */
  noteUse(tokenHash: string, use: { usedAt: string; unlessAfter: string }): Promise<void>;
}

export interface TokenPrincipal extends Principal {
  readonly lastUsedAt?: string;
}

interface AuthenticationPorts {
  readonly tokens: AccessTokens;
  readonly now: () => Date;
  /** Receives the error of noting a use; the caller is authenticated. */
  readonly onUnnotedUse: (fault: unknown) => void;
  /** Absent without sign-in: then only access tokens are known. */
  readonly signIn?: { readonly tokens: SignInTokens; readonly users: IdentifiedUsers };
}

/**
 * The principal of an Authorization header with an access token or the token of a sign-in;
 * undefined if it is malformed, or its token unknown, revoked, expired, not valid or of no user.
 */
export const buildAuthenticate = (ports: AuthenticationPorts) => {
  const { tokens, signIn } = ports;
  return async (authorization: string): Promise<Principal | undefined> => {
    const bearer = bearerIn(authorization);
    if (bearer === undefined) return undefined;
    if (isAccessToken(bearer)) {
      const hash = hashAccessToken(bearer);
      const found = await tokens.findPrincipal(hash);
      if (found === undefined || hasExpired(found, ports.now())) return undefined;
      await noteUse(hash, found, ports);
      const { lastUsedAt: _, ...principal } = found;
      return principal;
    }
    const identity = await signIn?.tokens.verify(bearer);
    const user = identity && (await signIn?.users.findUser(identity));
    return user && { user: user.id, account: user.primaryAccount, role: roleOf(user) };
  };
};

/** A write for each call would cost more than the call. */
const NOTED_EVERY_MS = 3_600_000;

const noteUse = async (
  hash: string,
  { lastUsedAt }: TokenPrincipal,
  { tokens, now, onUnnotedUse }: AuthenticationPorts,
): Promise<void> => {
  const instant = now().getTime();
  const unlessAfter = new Date(instant - NOTED_EVERY_MS).toISOString();
  if (lastUsedAt !== undefined && lastUsedAt > unlessAfter) return;
  try {
    await tokens.noteUse(hash, { usedAt: new Date(instant).toISOString(), unlessAfter });
  } catch (fault) {
    onUnnotedUse(fault);
  }
};
