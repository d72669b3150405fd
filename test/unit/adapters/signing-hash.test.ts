import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SigningHash } from '../../../adapters/aws-sdk/aws-clients.ts';

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
/** A part of a longer buffer, as Node's small buffers are. */
const viewOf = (bytes: Uint8Array): DataView => {
  const longer = new Uint8Array([1, 2, 3, ...bytes, 4, 5]);
  return new DataView(longer.buffer, 3, bytes.length);
};

/** The forms in which the SDK may give text or bytes. */
const FORMS = [
  ['text', (text: string) => text],
  ['a buffer', (text: string) => Buffer.from(text)],
  ['an array buffer', (text: string) => bufferOf(Buffer.from(text))],
  ['a view', (text: string) => viewOf(Buffer.from(text))],
] as const;

const aText = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());

const digestOf = async (hash: SigningHash, ...parts: Parameters<SigningHash['update']>[0][]) => {
  for (const part of parts) hash.update(part);
  return Buffer.from(await hash.digest()).toString('hex');
};

describe('the hash by which the AWS SDK signs', () => {
  it.each(FORMS)('is the SHA-256 of %s', (_form, given) =>
    fc.assert(
      fc.asyncProperty(aText, aText, async (one, another) => {
        expect(await digestOf(new SigningHash(), given(one), given(another))).toBe(
          createHash('sha256')
            .update(one + another)
            .digest('hex'),
        );
      }),
    ),
  );

  it.each(FORMS)('is the HMAC by %s', (_form, given) =>
    fc.assert(
      fc.asyncProperty(aText, aText, async (secret, signed) => {
        expect(await digestOf(new SigningHash(given(secret)), signed)).toBe(
          createHmac('sha256', secret).update(signed).digest('hex'),
        );
      }),
    ),
  );
});
