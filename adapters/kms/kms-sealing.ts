import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { SecretWraps, WrapOwner } from '../../core/integration/idempotency-records.ts';
import type { KeyUse } from './kms-private-keys.ts';

/** Wraps a secret by a call of KMS each: for what is wrapped once, and hardly ever unwrapped. */
export class KmsSecretWraps implements SecretWraps {
  readonly #client: KMSClient;
  readonly #use: KeyUse;

  constructor(client: KMSClient, use: KeyUse) {
    this.#client = client;
    this.#use = use;
  }

  async wrap(secret: string, owner: WrapOwner): Promise<string> {
    const { CiphertextBlob } = await this.#client.send(
      new EncryptCommand({ ...this.#using(owner), Plaintext: Buffer.from(secret) }),
    );
    if (CiphertextBlob === undefined) throw new Error('KMS encrypted nothing.');
    return Buffer.from(CiphertextBlob).toString('base64');
  }

  async unwrap(wrapped: string, owner: WrapOwner): Promise<string> {
    const { Plaintext } = await this.#client.send(
      new DecryptCommand({
        ...this.#using(owner),
        CiphertextBlob: Buffer.from(wrapped, 'base64'),
      }),
    );
    if (Plaintext === undefined) throw new Error('KMS decrypted nothing.');
    return Buffer.from(Plaintext).toString();
  }

  #using({ account, integration }: WrapOwner) {
    return {
      KeyId: this.#use.keyArn,
      EncryptionContext: { ...this.#use.context, account, integration },
    };
  }
}
