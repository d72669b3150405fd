import type { SecretSealer, SlowHash } from '../../core/integration/secret-sealing.ts';
import type { SealedSecret, SecretPlace } from '../../core/integration/signing-secrets.ts';
import { contextOf, type KeyPair, type KeyPairSource, type NewestKeyPair } from './key-pairs.ts';
import { seal } from './sealed-box.ts';

const DAY_MS = 86_400_000;
const ID_DIGITS = 6;

/**
 * Seals with the newest key pair. When there is none, or when it is old, the sealer has a new pair
 * made and stores it before the pair is used. Of several that do so at once one stores its pair, and
 * the others use that one. A process that dies after KMS made a pair has stored nothing; a process
 * that dies after the pair is stored leaves a pair for the next.
 */
export class KeyPairSealer implements SecretSealer {
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
