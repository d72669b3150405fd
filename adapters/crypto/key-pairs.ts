import { hkdfSync } from 'node:crypto';
import type { SecretPlace } from '../../core/integration/signing-secrets.ts';

/** A pair that seals secrets: the public key seals, and only the private key opens. */
export interface KeyPair {
  /** Later pairs have greater ids. */
  readonly id: string;
  /** DER of a SubjectPublicKeyInfo of P-256, base64. */
  readonly publicKey: string;
  /** DER of PKCS #8, encrypted by KMS, base64. */
  readonly wrappedPrivateKey: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

export interface KeyPairs {
  find(id: string): Promise<KeyPair | undefined>;
}

export interface NewestKeyPair {
  newest(): Promise<KeyPair | undefined>;
  /** `exists` when there is a pair of that id already, which stays as it is. */
  add(pair: KeyPair): Promise<'added' | 'exists'>;
}

/** A place as text; no two places have the same. */
export const contextOf = ({ account, integration, field }: SecretPlace): string =>
  JSON.stringify([account, integration, field]);

/**
 * A sealed box, in base64: a fresh public key as a compressed point, the encrypted text and the
 * tag. ECDH of both keys, HKDF-SHA256, AES-256-GCM with the context as additional data. Each box
 * has a fresh key, so the nonce may come from the same derivation.
 */
export const CURVE = 'prime256v1';
export const POINT_BYTES = 33;
export const CIPHER = 'aes-256-gcm';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** The purpose of the derived key: another use of the same key pair would derive another key. */
const LABEL = 'integrations-service sealed secret 1';

export const keyAndNonce = (agreed: Buffer, point: Buffer): [key: Buffer, nonce: Buffer] => {
  const bytes = Buffer.from(hkdfSync('sha256', agreed, point, LABEL, KEY_BYTES + NONCE_BYTES));
  return [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)];
};
