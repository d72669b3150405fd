import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BoundedMap,
  KeyPairSecretOpener,
  unseal,
  unsealingKey,
} from '../../../adapters/crypto/key-pair-secret-opener.ts';
import {
  KeyPairSecretSealer,
  type KeyPairSource,
  seal,
} from '../../../adapters/crypto/key-pair-secret-sealer.ts';
import type { KeyPair, NewestKeyPair } from '../../../adapters/crypto/key-pairs.ts';
import type { SecretPlace } from '../../../core/integration/signing-secrets.ts';
import { late } from '../../support/called-ports.ts';
import { countOf } from '../../support/count-of.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { quickHash } from '../../support/integration/in-memory-secrets.ts';

const DAY_MS = 86_400_000;
const HERE: SecretPlace = { account: 'acme', integration: 'id1', field: 'webhookSecret' };

const newKeys = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });

/** The table of key pairs in memory. */
class Pairs implements NewestKeyPair {
  readonly all: KeyPair[] = [];

  async newest() {
    return this.all.toSorted((one, other) => (one.id < other.id ? 1 : -1))[0];
  }

  async add(pair: KeyPair) {
    if (this.all.some(({ id }) => id === pair.id)) return 'exists';
    this.all.push(pair);
    return 'added';
  }

  async find(wanted: string) {
    return this.all.find(({ id }) => id === wanted);
  }
}

/** Wraps nothing: the private key is readable, and each unwrapping is counted and may fail. */
class Keys implements KeyPairSource {
  unwrapped = 0;
  faults = 0;

  async make() {
    const { publicKey, privateKey } = newKeys();
    return {
      publicKey: publicKey.toString('base64'),
      wrappedPrivateKey: privateKey.toString('base64'),
    };
  }

  async unwrap(wrapped: string) {
    this.unwrapped += 1;
    this.faults -= 1;
    if (this.faults >= 0) throw new Error('throttled');
    return Buffer.from(wrapped, 'base64');
  }
}

const aStage = () => {
  const pairs = new Pairs();
  const keys = new Keys();
  let now = new Date('2026-11-20T12:00:00.000Z');
  const sealer = (through = late) =>
    new KeyPairSecretSealer(
      { pairs: through(pairs), source: through(keys), slowHash: quickHash, now: () => now },
      { pairDays: 90 },
    );
  const opener = new KeyPairSecretOpener({ pairs, privateKeys: keys }, { mostKept: 100 });
  const passDays = (days: number) => {
    now = new Date(now.getTime() + days * DAY_MS);
  };
  return { pairs, keys, sealer, opener, passDays };
};

describe('sealing', () => {
  it('makes the first key pair, and uses that from then on', async () => {
    const { pairs, sealer } = aStage();

    const first = await sealer().seal('one', HERE);
    const second = await sealer().seal('two', HERE);

    expect([first.keyPair, second.keyPair]).toEqual(['000001', '000001']);
    expect(pairs.all).toHaveLength(1);
  });

  it('uses one key pair when several make the first at once', async () => {
    const { pairs, sealer, opener } = aStage();

    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => sealer().seal(`secret ${index}`, HERE)),
    );

    expect(pairs.all).toHaveLength(1);
    const opened = await Promise.all(all.map((sealed) => opener.open(sealed, HERE)));
    expect(opened).toEqual(all.map((_, index) => `secret ${index}`));
  });

  it('replaces a key pair after 90 days, and still opens what it sealed', async () => {
    const { sealer, opener, passDays } = aStage();
    const old = await sealer().seal('old', HERE);
    passDays(89);
    expect((await sealer().seal('older', HERE)).keyPair).toBe('000001');
    passDays(1);

    const young = await sealer().seal('young', HERE);

    expect(young.keyPair).toBe('000002');
    expect(await opener.open(old, HERE)).toBe('old');
    expect(await opener.open(young, HERE)).toBe('young');
  });

  /** Looks for a pair, has a pair made, stores the pair. */
  it.each([0, 1, 2, 3])('is repeated by the next when it dies after %i calls', async (calls) => {
    const { pairs, sealer, opener } = aStage();
    await sealer(dyingAfter(calls))
      .seal('one', HERE)
      .catch(() => {});
    expect(pairs.all).toHaveLength(calls < 3 ? 0 : 1);

    const sealed = await sealer().seal('two', HERE);

    expect(pairs.all).toHaveLength(1);
    expect(await opener.open(sealed, HERE)).toBe('two');
  });
});

describe('opening', () => {
  it('unwraps a private key once, whatever is opened, and by whom at once', async () => {
    const { keys, sealer, opener } = aStage();
    const sealed = await Promise.all(['one', 'two', 'three'].map((s) => sealer().seal(s, HERE)));

    const opened = await Promise.all([...sealed, ...sealed].map((one) => opener.open(one, HERE)));

    expect(opened).toEqual(['one', 'two', 'three', 'one', 'two', 'three']);
    expect(keys.unwrapped).toBe(1);
  });

  it('reads again after a fault, and once for all who wait for the answer', async () => {
    const { keys, sealer, opener } = aStage();
    const sealed = await sealer().seal('one', HERE);
    keys.faults = 1;

    const failed = await Promise.allSettled([opener.open(sealed, HERE), opener.open(sealed, HERE)]);

    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await opener.open(sealed, HERE)).toBe('one');
    expect(keys.unwrapped).toBe(2);
  });

  it('is refused for every other place, also after it was opened', async () => {
    const { sealer, opener } = aStage();
    const sealed = await sealer().seal('one', HERE);
    await opener.open(sealed, HERE);

    await expect(opener.open(sealed, { ...HERE, integration: 'id2' })).rejects.toThrow();
    await expect(opener.open(sealed, { ...HERE, account: 'other' })).rejects.toThrow();
    await expect(opener.open(sealed, { ...HERE, field: 'clientSecret' })).rejects.toThrow();
  });

  it('fails for a key pair that is gone, and for a format of a later version', async () => {
    const { pairs, sealer, opener } = aStage();
    const sealed = await sealer().seal('one', HERE);

    await expect(opener.open({ ...sealed, format: 2 as 1 }, HERE)).rejects.toThrow('format 2');
    pairs.all.length = 0;
    await expect(opener.open(sealed, HERE)).rejects.toThrow('There is no key pair 000001.');
  });
});

describe('a bounded map', () => {
  it('keeps so many entries, the latest', () => {
    const map = new BoundedMap<number>(2);
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);

    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 1, 2]);
  });

  it('lets none go when a key is set again', () => {
    const map = new BoundedMap<number>(2);
    for (const key of ['a', 'b', 'b']) map.set(key, 1);

    expect(map.get('a')).toBe(1);
  });
});

describe('a sealed box', () => {
  const { publicKey, privateKey } = newKeys();
  const key = unsealingKey(privateKey);

  it('opens to any text under its context', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, context) => {
        fc.pre(text.isWellFormed() && context.isWellFormed());
        expect(unseal(seal(text, publicKey, context), key, context)).toBe(text);
      }),
      { numRuns: countOf({ usually: 100, long: 2_000 }) },
    ));

  it('is another one each time, and never has the text', () => {
    const boxes = Array.from({ length: 20 }, () => seal('a secret', publicKey, 'here'));

    expect(new Set(boxes).size).toBe(20);
    for (const box of boxes) {
      expect(Buffer.from(box, 'base64').includes('a secret')).toBe(false);
    }
  });

  it('does not open under another context', () => {
    const box = seal('a secret', publicKey, 'here');

    expect(() => unseal(box, key, 'there')).toThrow();
  });

  it('does not open with another key', () => {
    const box = seal('a secret', publicKey, 'here');

    expect(() => unseal(box, unsealingKey(newKeys().privateKey), 'here')).toThrow();
  });

  it('does not open once any of its bytes was changed', () => {
    const bytes = Buffer.from(seal('a secret', publicKey, 'here'), 'base64');

    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      expect(() => unseal(changed.toString('base64'), key, 'here')).toThrow();
    }
  });

  it.each([0, 1, 33, 48])('does not open when it was cut to %i bytes', (length) => {
    const bytes = Buffer.from(seal('a secret', publicKey, 'here'), 'base64');

    expect(() => unseal(bytes.subarray(0, length).toString('base64'), key, 'here')).toThrow();
  });
});
