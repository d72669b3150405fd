import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HttpAnswer } from '../http-server.ts';
import { AwsError, jsonAnswer, type ParsedAwsRequest } from './aws-request.ts';

export interface Keys {
  handle(request: Pick<ParsedAwsRequest, 'headers' | 'input'>): HttpAnswer;
  create(keyArn: string): void;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));

const Call = z.object({
  KeyId: z.string(),
  EncryptionContext: z.record(z.string(), z.string()).default({}),
});

const KeyPairCall = Call.extend({ KeyPairSpec: z.literal('ECC_NIST_P256') });
const EncryptCall = Call.extend({ Plaintext: bytes });
const DecryptCall = Call.extend({ CiphertextBlob: bytes });

/** Keys of KMS, emulated: the three calls that our functions make. A key lasts as long as the run. */
export const createKeys = (): Keys => {
  const keys = new Map<string, Buffer>();
  const keyOf = (arn: string): Buffer => {
    const key = keys.get(arn);
    if (key === undefined) throw new AwsError('NotFoundException', `There is no key ${arn}.`);
    return key;
  };
  const operations: Readonly<Record<string, (input: unknown) => object>> = {
    GenerateDataKeyPairWithoutPlaintext: (input) => {
      const { KeyId, KeyPairSpec, ...call } = parsed(KeyPairCall, input);
      const { publicKey, privateKey } = newKeyPair();
      return {
        KeyId,
        KeyPairSpec,
        PublicKey: publicKey.toString('base64'),
        PrivateKeyCiphertextBlob: encrypted(privateKey, keyOf(KeyId), call),
      };
    },
    Encrypt: (input) => {
      const { KeyId, Plaintext, ...call } = parsed(EncryptCall, input);
      return { KeyId, CiphertextBlob: encrypted(Plaintext, keyOf(KeyId), call) };
    },
    Decrypt: (input) => {
      const { KeyId, CiphertextBlob, ...call } = parsed(DecryptCall, input);
      return { KeyId, Plaintext: decrypted(CiphertextBlob, keyOf(KeyId), call) };
    },
  };
  return {
    create: (keyArn) => {
      keys.set(keyArn, randomBytes(32));
    },
    handle: ({ headers, input }) => {
      const name = String(headers['x-amz-target']).replace('TrentService.', '');
      const operation = operations[name];
      if (operation) return jsonAnswer(operation(input));
      throw new AwsError('UnknownOperationException', `${name} is not emulated.`);
    },
  };
};

const parsed = <Input>(schema: z.ZodType<Input>, input: unknown): Input => {
  if (input === undefined) {
    throw new AwsError('SerializationException', 'The request is not JSON.');
  }
  const { data, error } = schema.safeParse(input);
  if (data !== undefined) return data;
  throw new AwsError('ValidationException', error?.issues[0]?.message ?? 'unreadable');
};

const newKeyPair = (): { publicKey: Buffer; privateKey: Buffer } =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });

type Context = Pick<z.output<typeof Call>, 'EncryptionContext'>;

/** The order of its members does not matter to KMS. */
const additionalData = ({ EncryptionContext }: Context): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(EncryptionContext).toSorted()));

const encrypted = (text: Buffer, key: Buffer, context: Context): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(additionalData(context));
  const parts = [nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64');
};

const decrypted = (blob: Buffer, key: Buffer, context: Context): string => {
  try {
    const nonce = blob.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      .setAAD(additionalData(context))
      .setAuthTag(blob.subarray(-TAG_BYTES));
    const text = decipher.update(blob.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('base64');
  } catch {
    throw new AwsError('InvalidCiphertextException', 'Nothing that this key encrypted so.');
  }
};
