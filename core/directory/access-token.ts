import { createHash } from 'node:crypto';

/** An access token: `mst_` and 256 random bits in base64url. */
const ACCESS_TOKEN = /^mst_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(\S+)$/i;

/** The access token in an Authorization header; undefined without a well-formed token. */
export const bearerToken = (authorization: string): string | undefined => {
  const token = BEARER.exec(authorization)?.[1];
  return token !== undefined && ACCESS_TOKEN.test(token) ? token : undefined;
};

/** The access token made of 32 random bytes. */
export const accessTokenFrom = (randomBytes: Buffer): string =>
  `mst_${randomBytes.toString('base64url')}`;

/** The SHA-256 of a token, hexadecimal, for storing. 256 random bits need no salt. */
export const hashAccessToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
