import {
  DecryptCommand,
  GenerateDataKeyPairWithoutPlaintextCommand,
  type KMSClient,
} from '@aws-sdk/client-kms';
import type { KeyPair, KeyPairSource, PrivateKeys } from '../crypto/key-pairs.ts';

/** Which key of KMS is used, and for what: KMS decrypts under the same encryption context alone. */
export interface KeyUse {
  readonly keyArn: string;
  readonly context: Readonly<Record<string, string>>;
}

/** Key pairs made by KMS. The private key leaves KMS encrypted, and is decrypted where it opens. */
export class KmsPrivateKeys implements KeyPairSource, PrivateKeys {
  readonly #client: KMSClient;
  readonly #used: { KeyId: string; EncryptionContext: Record<string, string> };

  constructor(client: KMSClient, { keyArn, context }: KeyUse) {
    this.#client = client;
    this.#used = { KeyId: keyArn, EncryptionContext: { ...context } };
  }

  async make(): Promise<Pick<KeyPair, 'publicKey' | 'wrappedPrivateKey'>> {
    const { PublicKey, PrivateKeyCiphertextBlob } = await this.#client.send(
      new GenerateDataKeyPairWithoutPlaintextCommand({
        ...this.#used,
        KeyPairSpec: 'ECC_NIST_P256',
      }),
    );
    return {
      publicKey: base64(PublicKey),
      wrappedPrivateKey: base64(PrivateKeyCiphertextBlob),
    };
  }

  async unwrap(wrappedPrivateKey: string): Promise<Uint8Array> {
    const { Plaintext } = await this.#client.send(
      new DecryptCommand({
        ...this.#used,
        CiphertextBlob: Buffer.from(wrappedPrivateKey, 'base64'),
      }),
    );
    if (Plaintext === undefined) throw new Error('KMS decrypted nothing.');
    return Plaintext;
  }
}

const base64 = (bytes: Uint8Array | undefined): string => {
  if (bytes === undefined) throw new Error('KMS made a key pair that lacks a key.');
  return Buffer.from(bytes).toString('base64');
};
