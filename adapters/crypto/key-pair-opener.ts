import type { ECDH } from 'node:crypto';
import {
  type SealedSecret,
  type SecretOpener,
  type SecretPlace,
  SecretUnreadable,
} from '../../core/integration/signing-secrets.ts';
import { BoundedMap } from '../bounded-map.ts';
import { contextOf, type KeyPairsById, type PrivateKeys } from './key-pairs.ts';
import { unseal, unsealingKey } from './sealed-box.ts';

/**
 * Opens what a `KeyPairSealer` sealed. Each private key is unwrapped once, by one call for all that
 * ask at once; a call that fails is forgotten, so that the next who asks tries again. Opened secrets
 * are kept, each under its sealed text and its place: settings that are written anew have another
 * text, so nothing that is kept grows old.
 */
export class KeyPairOpener implements SecretOpener {
  readonly #pairs: KeyPairsById;
  readonly #privateKeys: PrivateKeys;
  readonly #keys = new Map<string, Promise<ECDH>>();
  readonly #opened: BoundedMap<string>;

  /** @param options.mostKept how many opened secrets are kept; the oldest goes first */
  constructor(
    ports: { pairs: KeyPairsById; privateKeys: PrivateKeys },
    options: { mostKept: number },
  ) {
    this.#pairs = ports.pairs;
    this.#privateKeys = ports.privateKeys;
    this.#opened = new BoundedMap(options.mostKept);
  }

  async open({ format, keyPair, sealed }: SealedSecret, place: SecretPlace): Promise<string> {
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
