import { createHash } from 'node:crypto';

/** An access token: `mst_` and 256 random bits in base64url. */
const ACCESS_TOKEN = /^mst_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(\S+)$/i;

/** The token in an Authorization header, of whatever kind; undefined for a malformed header. */
export const bearerIn = (authorization: string): string | undefined =>
  BEARER.exec(authorization)?.[1];

export const isAccessToken = (bearer: string): boolean => ACCESS_TOKEN.test(bearer);

/** The access token made of 32 random bytes. */
export const accessTokenFrom = (randomBytes: Buffer): string =>
  `mst_${randomBytes.toString('base64url')}`;

/** The SHA-256 of a token, hexadecimal, for storing. 256 random bits need no salt. */
export const hashAccessToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
