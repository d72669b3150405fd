import { createDecipheriv, createECDH, createPrivateKey, type ECDH } from 'node:crypto';
import {
  type SealedSecret,
  type SecretOpener,
  type SecretPlace,
  SecretUnreadable,
} from '../../core/integration/signing-secrets.ts';
import { CIPHER, CURVE, contextOf, type KeyPairs, keyAndNonce, POINT_BYTES } from './key-pairs.ts';

const TAG_BYTES = 16;

export interface PrivateKeys {
  /** DER of PKCS #8. Throws `SecretUnreadable` when it was not wrapped for this use. */
  unwrap(wrappedPrivateKey: string): Promise<Uint8Array>;
}

/**
 * Opens the secrets that a `KeyPairSecretSealer` sealed. Each private key is unwrapped once; a failed call is not
 * kept. Opened secrets are cached by sealed text and place: a secret that is written again has
 * another sealed text, so no cached secret is out of date.
 */
export class KeyPairSecretOpener implements SecretOpener {
  readonly #pairs: KeyPairs;
  readonly #privateKeys: PrivateKeys;
  readonly #keys = new Map<string, Promise<ECDH>>();
  readonly #opened: BoundedMap<string>;

  /** @param options.mostKept how many opened secrets are kept; the oldest goes first */
  constructor(ports: { pairs: KeyPairs; privateKeys: PrivateKeys }, options: { mostKept: number }) {
    this.#pairs = ports.pairs;
    this.#privateKeys = ports.privateKeys;
    this.#opened = new BoundedMap(options.mostKept);
  }

  async open({ format, keyPair, sealed }: SealedSecret, place: SecretPlace): Promise<string> {
    if (sealed === undefined) throw new SecretUnreadable(`${place.field} is not sealed.`);
    const context = contextOf(place);
    const name = `${format} ${keyPair} ${sealed} ${context}`;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    if (format !== 1) throw new Error(`${place.field} is sealed in the unknown format ${format}.`);
    const secret = unsealed(sealed, await this.#keyOf(keyPair), context);
    this.#opened.set(name, secret);
    return secret;
  }

  #keyOf(id: string): Promise<ECDH> {
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const key = this.#unwrap(id).catch((error: unknown) => {
      this.#keys.delete(id);
      throw error;
    });
    this.#keys.set(id, key);
    return key;
  }

  async #unwrap(id: string): Promise<ECDH> {
    const pair = await this.#pairs.find(id);
    if (pair === undefined) throw new SecretUnreadable(`There is no key pair ${id}.`);
    return unsealingKey(await this.#privateKeys.unwrap(pair.wrappedPrivateKey));
  }
}

const unsealed = (sealed: string, key: ECDH, context: string): string => {
  try {
    return unseal(sealed, key, context);
  } catch (cause) {
    throw new SecretUnreadable('The secret was sealed for another place or changed.', { cause });
  }
};

/** Throws when the box was sealed for another key or context, or was changed. */
export const unseal = (box: string, key: ECDH, context: string): string => {
  const bytes = Buffer.from(box, 'base64');
  const point = bytes.subarray(0, POINT_BYTES);
  const decipher = createDecipheriv(CIPHER, ...keyAndNonce(key.computeSecret(point), point));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const encrypted = bytes.subarray(POINT_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
};

/** @param privateKey DER of PKCS #8, as KMS returns it */
export const unsealingKey = (privateKey: Uint8Array): ECDH => {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url'));
  return ecdh;
};

/** A map that keeps at most so many entries, and drops the entry that was set first. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    const [first] = this.#entries.keys();
    if (first !== undefined) this.#entries.delete(first);
  }
}
