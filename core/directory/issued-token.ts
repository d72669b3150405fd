import type { Role } from './principal.ts';

/** What is stored of an access token: never the token itself. Instants are RFC 3339. */
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

/** The list of an account's tokens. Authentication does not read this list. */
export interface TokenList {
  add(token: IssuedToken): Promise<void>;
  /** Strongly consistent. */
  find(account: string, id: string): Promise<IssuedToken | undefined>;
  /** All tokens of the account, revoked ones too, in no particular order. Strongly consistent. */
  listOf(account: string): Promise<readonly IssuedToken[]>;
  /** Sets `revokedAt`; an earlier `revokedAt` stays. */
  markRevoked(token: IssuedToken, revokedAt: string): Promise<void>;
}

/** The tokens by their hashes, as authentication looks them up. */
export interface TokenCredentials {
  /** `exists` when the hash was added or revoked before, which then stays as it is. */
  add(token: IssuedToken): Promise<'added' | 'exists'>;
  /** From now on the hash authenticates nobody, whether it was added already or not. */
  revoke(token: IssuedToken, revokedAt: string): Promise<void>;
}
