import { DecryptCommand, InvalidCiphertextException, type KMSClient } from '@aws-sdk/client-kms';
import { SecretUnreadable } from '../../core/integration/signing-secrets.ts';
import type { PrivateKeys } from '../crypto/key-pair-secret-opener.ts';

/** A key of KMS, and the encryption context: KMS decrypts only under the context it encrypted under. */
interface KeyUse {
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

/**
 * Decrypts the private keys that `KmsKeyPairSource` made, and no others: the call names the key and
 * the context, under which functions that write key pairs may not encrypt.
 */
export class KmsPrivateKeys extends KmsKey implements PrivateKeys {
  async unwrap(wrappedPrivateKey: string): Promise<Uint8Array> {
    const CiphertextBlob = Buffer.from(wrappedPrivateKey, 'base64');
    const decrypt = new DecryptCommand({ ...this.using(), CiphertextBlob });
    const { Plaintext } = await this.client.send(decrypt).catch(ifForeign);
    if (Plaintext === undefined) throw new Error('KMS decrypted nothing.');
    return Plaintext;
  }
}

const ifForeign = (cause: unknown): never => {
  if (!(cause instanceof InvalidCiphertextException)) throw cause;
  throw new SecretUnreadable('The private key was not encrypted for this use.', { cause });
};
