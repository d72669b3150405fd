import { DecryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { PrivateKeys } from '../crypto/key-pair-opener.ts';

/** A key of KMS, and the encryption context: KMS decrypts only under the context it encrypted under. */
export interface KeyUse {
  readonly keyArn: string;
  readonly context: Readonly<Record<string, string>>;
}

export abstract class KmsKey {
  protected readonly client: KMSClient;
  readonly #use: KeyUse;

  constructor(client: KMSClient, use: KeyUse) {
    this.client = client;
    this.#use = use;
  }

  /** The members of every command. @param more further members of the encryption context */
  protected using(more: Readonly<Record<string, string>> = {}) {
    return { KeyId: this.#use.keyArn, EncryptionContext: { ...this.#use.context, ...more } };
  }
}

/** Decrypts the private keys that `KmsKeyPairSource` made. */
export class KmsPrivateKeys extends KmsKey implements PrivateKeys {
  async unwrap(wrappedPrivateKey: string): Promise<Uint8Array> {
    const CiphertextBlob = Buffer.from(wrappedPrivateKey, 'base64');
    const { Plaintext } = await this.client.send(
      new DecryptCommand({ ...this.using(), CiphertextBlob }),
    );
    if (Plaintext === undefined) throw new Error('KMS decrypted nothing.');
    return Plaintext;
  }
}
