import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyPairWithoutPlaintextCommand,
} from '@aws-sdk/client-kms';
import type { SecretWraps, WrapOwner } from '../../core/integration/secret-sealing.ts';
import type { KeyPairSource } from '../crypto/key-pair-secret-sealer.ts';
import type { KeyPair } from '../crypto/key-pairs.ts';
import { KmsKey } from './kms-private-keys.ts';

/** Has KMS make key pairs. A private key leaves KMS encrypted. */
export class KmsKeyPairSource extends KmsKey implements KeyPairSource {
  async make(): Promise<Pick<KeyPair, 'publicKey' | 'wrappedPrivateKey'>> {
    const { PublicKey, PrivateKeyCiphertextBlob } = await this.client.send(
      new GenerateDataKeyPairWithoutPlaintextCommand({
        ...this.using(),
        KeyPairSpec: 'ECC_NIST_P256',
      }),
    );
    return { publicKey: base64(PublicKey), wrappedPrivateKey: base64(PrivateKeyCiphertextBlob) };
  }
}

/** Wraps each secret by a call of KMS: for secrets that are wrapped once and seldom unwrapped. */
export class KmsSecretWraps extends KmsKey implements SecretWraps {
  async wrap(secret: string, { account, integration }: WrapOwner): Promise<string> {
    const { CiphertextBlob } = await this.client.send(
      new EncryptCommand({
        ...this.using({ account, integration }),
        Plaintext: Buffer.from(secret),
      }),
    );
    return base64(CiphertextBlob);
  }

  async unwrap(wrapped: string, { account, integration }: WrapOwner): Promise<string> {
    const { Plaintext } = await this.client.send(
      new DecryptCommand({
        ...this.using({ account, integration }),
        CiphertextBlob: Buffer.from(wrapped, 'base64'),
      }),
    );
    if (Plaintext === undefined) throw new Error('KMS decrypted nothing.');
    return Buffer.from(Plaintext).toString();
  }
}

const base64 = (bytes: Uint8Array | undefined): string => {
  if (bytes === undefined) throw new Error('An answer of KMS lacks a key or an encrypted text.');
  return Buffer.from(bytes).toString('base64');
};
