import { generateKeyPairSync } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { startTestRun, type TestRun, tableOf } from 'local-aws/test/support/assembly.ts';
import { createClient } from 'local-aws/test/support/clients.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyPairSecretOpener } from '../../adapters/crypto/key-pair-secret-opener.ts';
import {
  KeyPairSecretSealer,
  scryptHash,
  seal,
} from '../../adapters/crypto/key-pair-secret-sealer.ts';
import { contextOf } from '../../adapters/crypto/key-pairs.ts';
import { DynamoDbNewestKeyPair } from '../../adapters/dynamodb/key-pairs/newest-key-pair.ts';
import { KmsPrivateKeys } from '../../adapters/kms/kms-private-keys.ts';
import { KmsKeyPairSource, KmsSecretWraps } from '../../adapters/kms/kms-sealing.ts';
import type { SecretSealer, SecretWraps } from '../../core/integration/secret-sealing.ts';
import {
  type SealedSecret,
  type SecretOpener,
  type SecretPlace,
  SecretUnreadable,
} from '../../core/integration/signing-secrets.ts';
import { InMemorySecrets, InMemorySecretWraps } from '../support/integration/in-memory-secrets.ts';

const HERE: SecretPlace = { account: 'acme', integration: '0123456789Ab', field: 'webhookSecret' };
const ELSEWHERE: SecretPlace[] = [
  { ...HERE, account: 'globex' },
  { ...HERE, integration: 'bbbbbbbbbbbb' },
  { ...HERE, field: 'clientSecret' },
];

const secretsContract = (name: string, create: () => SecretSealer & SecretOpener) =>
  describe(`${name} as what seals and opens secrets`, () => {
    it.each(['a secret of the tests', '', 'ключ 👋', 'x'.repeat(1_024)])(
      'opens %j in its place',
      async (secret) => {
        const secrets = create();
        const sealed = await secrets.seal(secret, HERE);
        expect(await secrets.open(sealed, HERE)).toBe(secret);
      },
    );

    it.each(ELSEWHERE)('opens nothing that was sealed for another place than %j', async (place) => {
      const secrets = create();
      const sealed = await secrets.seal('a secret of the tests', HERE);
      await expect(secrets.open(sealed, place)).rejects.toThrow(SecretUnreadable);
    });

    it('opens no plain text in the place of a secret, and does not show it', async () => {
      const opened = create().open('a secret of the tests' as unknown as SealedSecret, HERE);
      const fault = await opened.catch((thrown: unknown) => thrown);
      expect(fault).toBeInstanceOf(SecretUnreadable);
      expect(String(fault)).not.toContain('a secret of the tests');
    });

    it('hides the secret', async () => {
      const sealed = await create().seal('a secret of the tests', HERE);
      expect(JSON.stringify(sealed)).not.toContain('a secret of the tests');
    });

    it('tells webhook secrets of one place apart by their fingerprints', async () => {
      const secrets = create();
      const fingerprintOf = async (secret: string, place = HERE) =>
        (await secrets.seal(secret, place)).fingerprint;
      const fingerprint = await fingerprintOf('a secret of the tests');
      expect(fingerprint).toBeTypeOf('string');
      expect(await fingerprintOf('a secret of the tests')).toBe(fingerprint);
      expect(await fingerprintOf('a secret of the testz')).not.toBe(fingerprint);
      for (const place of ELSEWHERE) {
        expect(await fingerprintOf('a secret of the tests', place)).not.toBe(fingerprint);
      }
    });
  });

const wrapsContract = (name: string, create: () => SecretWraps) =>
  describe(`${name} as what wraps secrets`, () => {
    const OWNER = { account: 'acme', integration: '0123456789Ab' };

    it('unwraps a secret for its integration', async () => {
      const wraps = create();
      const wrapped = await wraps.wrap('a secret of the tests', OWNER);
      expect(wrapped).not.toContain('a secret of the tests');
      expect(await wraps.unwrap(wrapped, OWNER)).toBe('a secret of the tests');
    });

    it.each([{ account: 'globex' }, { integration: 'bbbbbbbbbbbb' }])(
      'unwraps nothing for another: %j',
      async (other) => {
        const wraps = create();
        const wrapped = await wraps.wrap('a secret of the tests', OWNER);
        await expect(wraps.unwrap(wrapped, { ...OWNER, ...other })).rejects.toThrow();
      },
    );
  });

secretsContract('memory', () => new InMemorySecrets());
wrapsContract('memory', () => new InMemorySecretWraps());

describe('AWS', () => {
  let run: TestRun;
  beforeAll(async () => {
    run = await startTestRun({
      resources: {
        Key: { Type: 'AWS::KMS::Key' },
        KeyPairs: tableOf(['purpose', 'id']),
      },
      outputs: {
        KeyArn: { Value: { 'Fn::GetAtt': ['Key', 'Arn'] } },
        TableName: { Value: { Ref: 'KeyPairs' } },
      },
    });
  });
  afterAll(() => run.stop());

  const keyUse = (stage = 'dev', keyArn = run.outputs.KeyArn ?? '') => ({
    keyArn,
    context: { service: 'integrations', stage },
  });

  const keyPairs = () =>
    new DynamoDbNewestKeyPair(
      DynamoDBDocumentClient.from(createClient(DynamoDBClient, run.aws)),
      run.outputs.TableName ?? '',
    );

  const privateKeys = (use = keyUse()) => new KmsPrivateKeys(createClient(KMSClient, run.aws), use);

  const source = (use = keyUse()) => new KmsKeyPairSource(createClient(KMSClient, run.aws), use);

  const create = () => {
    const pairs = keyPairs();
    const now = () => new Date();
    const sealer = new KeyPairSecretSealer(
      { pairs, source: source(), slowHash: scryptHash, now },
      { pairDays: 90 },
    );
    const opener = new KeyPairSecretOpener({ pairs, privateKeys: privateKeys() }, { mostKept: 10 });
    return {
      seal: (...given: Parameters<SecretSealer['seal']>) => sealer.seal(...given),
      open: (...given: Parameters<SecretOpener['open']>) => opener.open(...given),
    };
  };

  secretsContract('a key pair', create);
  wrapsContract('KMS', () => new KmsSecretWraps(createClient(KMSClient, run.aws), keyUse()));

  it('reports a secret that never opens: changed, or without its key pair', async () => {
    const secrets = create();
    const sealed = await secrets.seal('a secret of the tests', HERE);
    const unreadable = [
      { ...sealed, keyPair: '900009' },
      { ...sealed, sealed: Buffer.from('changed').toString('base64') },
    ];
    for (const each of unreadable) {
      await expect(secrets.open(each, HERE)).rejects.toThrow(SecretUnreadable);
    }
  });

  it('tells why it cannot open a secret now, while the key is out of reach', async () => {
    const secrets = create();
    const sealed = await secrets.seal('a secret of the tests', HERE);
    const gone = privateKeys(keyUse('dev', 'arn:aws:kms:us-east-1:000000000000:key/gone'));
    const opener = new KeyPairSecretOpener(
      { pairs: keyPairs(), privateKeys: gone },
      { mostKept: 10 },
    );
    await expect(opener.open(sealed, HERE)).rejects.toThrow(
      expect.objectContaining({ name: 'NotFoundException' }),
    );
  });

  it('gives the newest key pair, each by its id, and keeps what is there', async () => {
    const pairs = keyPairs();
    const pair = (id: string, publicKey = id) => ({
      id,
      publicKey,
      wrappedPrivateKey: 'wrapped',
      createdAt: '2026-11-20T12:00:00.000Z',
    });
    expect(await pairs.add(pair('900001'))).toBe('added');
    expect(await pairs.add(pair('900002'))).toBe('added');
    expect(await pairs.add(pair('900001', 'another'))).toBe('exists');
    expect(await pairs.newest()).toEqual(pair('900002'));
    expect(await pairs.find('900001')).toEqual(pair('900001'));
    expect(await pairs.find('900003')).toBeUndefined();
  });

  it('unwraps a private key under its own encryption context alone', async () => {
    const { wrappedPrivateKey } = await source().make();
    expect((await privateKeys().unwrap(wrappedPrivateKey)).length).toBeGreaterThan(100);
    await expect(privateKeys(keyUse('prod')).unwrap(wrappedPrivateKey)).rejects.toThrow(
      SecretUnreadable,
    );
  });

  it('opens nothing sealed with a key pair that KMS did not wrap', async () => {
    const pairs = keyPairs();
    const { publicKey, privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { format: 'der', type: 'spki' },
      privateKeyEncoding: { format: 'der', type: 'pkcs8' },
    });
    // Whatever a function that writes key pairs and idempotency records can have KMS encrypt.
    const wraps = new KmsSecretWraps(createClient(KMSClient, run.aws), keyUse());
    const owner = { account: HERE.account, integration: HERE.integration };
    const planted = {
      '800001': privateKey.toString('base64'),
      '800002': await wraps.wrap(privateKey.toString('latin1'), owner),
      '800003': (await source().make()).wrappedPrivateKey,
    };
    const opener = new KeyPairSecretOpener({ pairs, privateKeys: privateKeys() }, { mostKept: 10 });
    const sealed = seal('a secret of the tests', publicKey, contextOf(HERE));

    for (const [id, wrappedPrivateKey] of Object.entries(planted)) {
      const createdAt = new Date().toISOString();
      await pairs.add({
        id,
        publicKey: publicKey.toString('base64'),
        wrappedPrivateKey,
        createdAt,
      });
      await expect(opener.open({ format: 1, keyPair: id, sealed }, HERE)).rejects.toThrow(
        SecretUnreadable,
      );
    }
  });

  it('makes and unwraps nothing with a key that is not there', async () => {
    const { wrappedPrivateKey } = await source().make();
    const gone = keyUse('dev', 'arn:aws:kms:us-east-1:000000000000:key/gone');
    const notFound = expect.objectContaining({ name: 'NotFoundException' });
    await expect(source(gone).make()).rejects.toThrow(notFound);
    await expect(privateKeys(gone).unwrap(wrappedPrivateKey)).rejects.toThrow(notFound);
  });
});
