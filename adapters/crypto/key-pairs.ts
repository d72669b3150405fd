import type { SecretPlace } from '../../core/integration/signing-secrets.ts';

/** A pair that seals secrets: anybody may seal, and only who can unwrap the private key opens. */
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

export interface NewestKeyPair {
  newest(): Promise<KeyPair | undefined>;
  /** `exists` when there is a pair of that id already, which stays as it is. */
  add(pair: KeyPair): Promise<'added' | 'exists'>;
}

export interface KeyPairsById {
  find(id: string): Promise<KeyPair | undefined>;
}

export interface KeyPairSource {
  /** A new pair, whose private key nobody has seen. */
  make(): Promise<Pick<KeyPair, 'publicKey' | 'wrappedPrivateKey'>>;
}

export interface PrivateKeys {
  /** DER of PKCS #8. */
  unwrap(wrappedPrivateKey: string): Promise<Uint8Array>;
}

/** A place as text; no two places have the same. */
export const contextOf = ({ account, integration, field }: SecretPlace): string =>
  JSON.stringify([account, integration, field]);
