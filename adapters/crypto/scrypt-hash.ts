import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const HASH_BYTES = 16;

/**
 * What RFC 7914 takes for a login: a guess costs 16 MiB and 41 ms of a processor. A secret has 16
 * characters at least, so that nobody goes through all of them.
 */
const COST = { N: 16_384, r: 8, p: 1 };

const derive: (text: string, salt: string, bytes: number, options: typeof COST) => Promise<Buffer> =
  promisify(scrypt);

/** A hash that is slow to compute, in base64url; a thread of its own computes. */
export const scryptHash = async (text: string, salt: string): Promise<string> =>
  (await derive(text, salt, HASH_BYTES, COST)).toString('base64url');
