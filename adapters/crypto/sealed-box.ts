import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  hkdfSync,
} from 'node:crypto';

const CURVE = 'prime256v1';
/** Of a point of the curve, compressed and not. */
const POINT_BYTES = 33;
const WHOLE_POINT_BYTES = 65;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a key is derived for: another use of the same key pair would derive another key. */
const LABEL = 'integrations-service sealed secret 1';

/**
 * Seals a text for the holder of a private key of P-256, in base64: ECDH of the public key with a
 * fresh key, HKDF-SHA256 of what both agree on, AES-256-GCM with the context as additional data. The
 * box is the fresh public key, the encrypted text and the tag. Each box has a fresh key, so the nonce
 * may come from the same derivation.
 *
 * @param publicKey DER of a SubjectPublicKeyInfo, as KMS gives it
 */
export const seal = (text: string, publicKey: Uint8Array, context: string): string => {
  const fresh = createECDH(CURVE);
  fresh.generateKeys();
  const point = fresh.getPublicKey(null, 'compressed');
  // The DER ends with the point.
  const agreed = fresh.computeSecret(publicKey.subarray(-WHOLE_POINT_BYTES));
  const cipher = createCipheriv('aes-256-gcm', ...keyAndNonce(agreed, point));
  cipher.setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([point, encrypted, cipher.getAuthTag()]).toString('base64');
};

/** Throws when the box was sealed for another key or context, or was changed. */
export const unseal = (box: string, key: ECDH, context: string): string => {
  const bytes = Buffer.from(box, 'base64');
  const point = bytes.subarray(0, POINT_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', ...keyAndNonce(key.computeSecret(point), point));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const encrypted = bytes.subarray(POINT_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
};

/** @param privateKey DER of PKCS #8, as KMS gives it */
export const unsealingKey = (privateKey: Uint8Array): ECDH => {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url'));
  return ecdh;
};

const keyAndNonce = (agreed: Buffer, point: Buffer): [key: Buffer, nonce: Buffer] => {
  const bytes = Buffer.from(hkdfSync('sha256', agreed, point, LABEL, KEY_BYTES + NONCE_BYTES));
  return [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)];
};
