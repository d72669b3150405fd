import { createHash } from 'node:crypto';

/** `mst_` and 256 random bits in base64url. */
const ACCESS_TOKEN = /^mst_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(\S+)$/i;

/** The access token an Authorization header carries; undefined when it has no well-formed one. */
export const bearerToken = (authorization: string): string | undefined => {
  const token = BEARER.exec(authorization)?.[1];
  return token !== undefined && ACCESS_TOKEN.test(token) ? token : undefined;
};

export const accessTokenFrom = (randomBytes: Buffer): string =>
  `mst_${randomBytes.toString('base64url')}`;

/** All that is stored of a token: SHA-256, hexadecimal. 256 random bits need no salt. */
export const hashAccessToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
