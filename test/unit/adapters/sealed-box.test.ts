import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unseal, unsealingKey } from '../../../adapters/crypto/key-pair-opener.ts';
import { seal } from '../../../adapters/crypto/key-pair-sealer.ts';
import { countOf } from '../../support/count-of.ts';

const newPair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  return { publicKey, key: unsealingKey(privateKey) };
};

const { publicKey, key } = newPair();

describe('a sealed box', () => {
  it('gives back any text under its context', () =>
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

    expect(() => unseal(box, newPair().key, 'here')).toThrow();
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
