import { createCipheriv, createECDH, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { SecretSealer, SlowHash } from '../../core/integration/secret-sealing.ts';
import type { SealedSecret, SecretPlace } from '../../core/integration/signing-secrets.ts';
import {
  CIPHER,
  CURVE,
  contextOf,
  type KeyPair,
  keyAndNonce,
  type NewestKeyPair,
} from './key-pairs.ts';

const DAY_MS = 86_400_000;
const ID_DIGITS = 6;

const WHOLE_POINT_BYTES = 65;

export interface KeyPairSource {
  /** A new pair, whose private key has never been in plaintext outside KMS. */
  make(): Promise<Pick<KeyPair, 'publicKey' | 'wrappedPrivateKey'>>;
}

/**
 * Seals with the newest key pair. When it is old, or there is none, a new one is made, and stored
 * before it is used. Of several processes that do so at once, one stores its pair, and all use
 * that.
 */
export class KeyPairSecretSealer implements SecretSealer {
  readonly #pairs: NewestKeyPair;
  readonly #source: KeyPairSource;
  readonly #slowHash: SlowHash;
  readonly #now: () => Date;
  readonly #pairDays: number;

  /** @param options.pairDays age at which a key pair seals nothing any more */
  constructor(
    ports: { pairs: NewestKeyPair; source: KeyPairSource; slowHash: SlowHash; now: () => Date },
    options: { pairDays: number },
  ) {
    this.#pairs = ports.pairs;
    this.#source = ports.source;
    this.#slowHash = ports.slowHash;
    this.#now = ports.now;
    this.#pairDays = options.pairDays;
  }

  async seal(secret: string, place: SecretPlace): Promise<SealedSecret> {
    const { id, publicKey } = await this.#current();
    const context = contextOf(place);
    return {
      format: 1,
      keyPair: id,
      sealed: seal(secret, Buffer.from(publicKey, 'base64'), context),
      // An integration's id is drawn at random, so no other integration has the salt.
      ...(place.field === 'webhookSecret' && {
        fingerprint: await this.#slowHash(secret, context),
      }),
    };
  }

  async #current(): Promise<KeyPair> {
    const newest = await this.#pairs.newest();
    if (newest !== undefined && !this.#isOld(newest)) return newest;
    const pair: KeyPair = {
      id: String(Number(newest?.id ?? 0) + 1).padStart(ID_DIGITS, '0'),
      ...(await this.#source.make()),
      createdAt: this.#now().toISOString(),
    };
    if ((await this.#pairs.add(pair)) === 'added') return pair;
    const others = await this.#pairs.newest();
    if (others === undefined) throw new Error('A key pair is gone that was there just now.');
    return others;
  }

  #isOld({ createdAt }: KeyPair): boolean {
    return this.#now().getTime() - Date.parse(createdAt) >= this.#pairDays * DAY_MS;
  }
}

/** @param publicKey DER of a SubjectPublicKeyInfo, as KMS returns it */
export const seal = (text: string, publicKey: Uint8Array, context: string): string => {
  const fresh = createECDH(CURVE);
  fresh.generateKeys();
  const point = fresh.getPublicKey(null, 'compressed');
  // The DER ends with the point.
  const agreed = fresh.computeSecret(publicKey.subarray(-WHOLE_POINT_BYTES));
  const cipher = createCipheriv(CIPHER, ...keyAndNonce(agreed, point));
  cipher.setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([point, encrypted, cipher.getAuthTag()]).toString('base64');
};

const HASH_BYTES = 16;

/**
 * RFC 7914's cost for a login: a guess takes 16 MiB and 41 ms. A secret has 16 characters or more.
 */
const COST = { N: 16_384, r: 8, p: 1 };

const derive: (text: string, salt: string, bytes: number, options: typeof COST) => Promise<Buffer> =
  promisify(scrypt);

/** A hash that is slow to compute, in base64url. It is computed in a separate thread. */
export const scryptHash = async (text: string, salt: string): Promise<string> =>
  (await derive(text, salt, HASH_BYTES, COST)).toString('base64url');
