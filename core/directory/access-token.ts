import { createHash } from 'node:crypto';
import type { Role } from './user.ts';

/** An access token: `mst_` and 256 random bits in base64url. */
const ACCESS_TOKEN = /^mst_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(\S+)$/i;

/** The token in an Authorization header, of whatever kind; undefined for a malformed header. */
export const bearerIn = (authorization: string): string | undefined =>
  BEARER.exec(authorization)?.[1];

export const isAccessToken = (bearer: string): boolean => ACCESS_TOKEN.test(bearer);

export const accessTokenFrom = (randomBytes: Buffer): string =>
  `mst_${randomBytes.toString('base64url')}`;

/** The SHA-256 of a token, hexadecimal, for storing. 256 random bits need no salt. */
export const hashAccessToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

/** How the ids of tokens begin; of the session of a console link, `ses_`. */
export const TOKEN_PREFIX = 'tok_';

export const TOKEN_ID = /^(?:tok|ses)_[0-9a-f]{16}$/;

/** An access token as it is stored: never the token itself. Instants are RFC 3339. */
export interface IssuedToken {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string;
  readonly user: string;
  readonly account: string;
  readonly role: Role;
  readonly createdAt: string;
  /** From then on it is invalid; absent for a token that does not expire. */
  readonly expiresAt?: string | undefined;
  readonly revokedAt?: string;
}

export const hasExpired = ({ expiresAt }: Pick<IssuedToken, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();

/** The name of a token: 1 to 100 printable characters, not all of them blanks. */
export const TOKEN_NAME =
  /^(?=.*(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}])[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u;

/** A token as lists show it. */
export interface ListedToken extends IssuedToken {
  /** Up to an hour older than the latest use; absent before the first use. */
  readonly lastUsedAt?: string;
}

/** The tokens of accounts. Authentication looks them up by their hashes. */
export interface IssuedTokens {
  /**
   * Makes a token valid and lists it, unless its account is being removed. Throws for an id or a hash
   * that another token has.
   */
  add(token: IssuedToken): Promise<'added' | 'no-account'>;
  /** Strongly consistent. */
  find(account: string, id: string): Promise<IssuedToken | undefined>;
  /** All tokens of the account, revoked ones too, in the order of ids. Strongly consistent. */
  listOf(account: string): Promise<readonly IssuedToken[]>;
  /** Without sessions, of which there may be many. Greatest ids first, which are less than `after`. */
  pageOf(
    account: string,
    page: { limit: number; after?: string | undefined },
  ): Promise<{ tokens: readonly IssuedToken[]; next?: string }>;
  /** Without sessions. */
  countOf(account: string): Promise<number>;
  /**
   * Makes a token invalid and lists it as revoked; an earlier `revokedAt` stays, and a removed token
   * stays removed. A token leaves the list 30 days after it is revoked or has expired, and a session
   * when it expires.
   */
  revoke(token: IssuedToken, revokedAt: string): Promise<void>;
  /** Makes them invalid and forgets them. Each is removed at once; of several, some may be. */
  remove(tokens: readonly IssuedToken[]): Promise<void>;
}

/** When tokens were used, as authentication notes it. */
export interface TokenUses {
  /** The last use of each token; undefined for none. Strongly consistent. */
  lastUsesOf(hashes: readonly string[]): Promise<readonly (string | undefined)[]>;
}

export const withUses = async (
  tokens: readonly IssuedToken[],
  uses: TokenUses,
): Promise<readonly ListedToken[]> => {
  const lastUses = await uses.lastUsesOf(tokens.map(({ hash }) => hash));
  return tokens.map((token, index) => {
    const lastUsedAt = lastUses[index];
    return lastUsedAt === undefined ? token : { ...token, lastUsedAt };
  });
};
