import type { Role } from './principal.ts';

/** All that is kept of an access token: never the token itself. */
export interface IssuedToken {
  readonly id: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string;
  readonly user: string;
  /** The user's primary account. */
  readonly account: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

/** An account's list of its tokens. It lets nobody in. */
export interface TokenList {
  add(token: IssuedToken): Promise<void>;
  /** Strongly consistent. */
  find(account: string, id: string): Promise<IssuedToken | undefined>;
  /** All of them, revoked ones included, in no particular order. Strongly consistent. */
  listOf(account: string): Promise<readonly IssuedToken[]>;
  /** An earlier `revokedAt` stays. */
  markRevoked(token: IssuedToken, revokedAt: string): Promise<void>;
}

/** What authentication looks up, by the token's hash. */
export interface TokenCredentials {
  /** `exists` when the hash was added or revoked before; it is left as it is. */
  add(token: IssuedToken): Promise<'added' | 'exists'>;
  /** From now on the hash lets nobody in, whether it was added already or not. */
  revoke(token: IssuedToken, revokedAt: string): Promise<void>;
}
