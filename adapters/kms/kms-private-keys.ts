import { DecryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { PrivateKeys } from '../crypto/key-pair-opener.ts';

/** The key of KMS, and its encryption context: KMS decrypts only under the context it encrypted under. */
export interface KeyUse {
  readonly keyArn: string;
  readonly context: Readonly<Record<string, string>>;
}

/** Decrypts the private keys that `KmsKeyPairSource` made. */
export class KmsPrivateKeys implements PrivateKeys {
  readonly #client: KMSClient;
  readonly #use: KeyUse;

  constructor(client: KMSClient, use: KeyUse) {
    this.#client = client;
    this.#use = use;
  }

  async unwrap(wrappedPrivateKey: string): Promise<Uint8Array> {
    const { Plaintext } = await this.#client.send(
      new DecryptCommand({
        KeyId: this.#use.keyArn,
        EncryptionContext: { ...this.#use.context },
        CiphertextBlob: Buffer.from(wrappedPrivateKey, 'base64'),
      }),
    );
    if (Plaintext === undefined) throw new Error('KMS decrypted nothing.');
    return Plaintext;
  }
}
