import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyPairWithoutPlaintextCommand,
  type KMSClient,
} from '@aws-sdk/client-kms';
import type { SecretWraps, WrapOwner } from '../../core/integration/idempotency-records.ts';
import type { KeyPairSource } from '../crypto/key-pair-sealer.ts';
import type { KeyPair } from '../crypto/key-pairs.ts';
import type { KeyUse } from './kms-private-keys.ts';

/** Has KMS make key pairs. A private key leaves KMS encrypted. */
export class KmsKeyPairSource implements KeyPairSource {
  readonly #client: KMSClient;
  readonly #use: KeyUse;

  constructor(client: KMSClient, use: KeyUse) {
    this.#client = client;
    this.#use = use;
  }

  async make(): Promise<Pick<KeyPair, 'publicKey' | 'wrappedPrivateKey'>> {
    const { PublicKey, PrivateKeyCiphertextBlob } = await this.#client.send(
      new GenerateDataKeyPairWithoutPlaintextCommand({
        KeyId: this.#use.keyArn,
        EncryptionContext: { ...this.#use.context },
        KeyPairSpec: 'ECC_NIST_P256',
      }),
    );
    return {
      publicKey: base64(PublicKey),
      wrappedPrivateKey: base64(PrivateKeyCiphertextBlob),
    };
  }
}

const base64 = (bytes: Uint8Array | undefined): string => {
  if (bytes === undefined) throw new Error('KMS made a key pair that lacks a key.');
  return Buffer.from(bytes).toString('base64');
};

/** Wraps each secret by a call of KMS: for secrets that are wrapped once and seldom unwrapped. */
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
