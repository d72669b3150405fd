import { describe, expect, it } from 'vitest';
import { KeyPairSecretOpener } from '../../../adapters/crypto/key-pair-secret-opener.ts';
import {
  KeyPairSecretSealer,
  scryptHash,
} from '../../../adapters/crypto/key-pair-secret-sealer.ts';
import { newIntegrationId, newWebhookSecret } from '../../../adapters/crypto/random-ids.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { parseIntegrationDocument } from '../../../core/integration/integration-document.ts';
import {
  buildSealConfig,
  buildSealWebhookSecret,
} from '../../../core/integration/secret-sealing.ts';
import {
  buildOpenSecrets,
  type SealedSecret,
  SecretUnreadable,
} from '../../../core/integration/signing-secrets.ts';
import {
  isSameSecret,
  preparedSecrets,
  switchedSecrets,
  writtenSecrets,
} from '../../../core/integration/webhook-secrets.ts';
import sealed from '../../support/formats/secrets-1.json' with { type: 'json' };
import { aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const withConfig = (secrets: Record<string, unknown>) =>
  aDocument({ config: { baseUrl: 'https://hooks.example.com/in', ...secrets } });

describe('a webhook secret', () => {
  it.each([
    'sixteen letters.',
    'x'.repeat(128),
    ' ~!"#$%&\'()*+,-./ ',
    '[FILTERED]',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_MDEyMzQ1Ng==',
    'whsec_MDEyMzQ1Njc=',
    'WHSEC_is only a secret like any other',
  ])('may be %s', (webhookSecret) => {
    const { config } = parseIntegrationDocument(withConfig({ webhookSecret }));
    expect(config.webhookSecret).toBe(webhookSecret);
  });

  it.each([
    '',
    'fifteen letters',
    'x'.repeat(129),
    'a secret with an é in it',
    'a secret with\na line end',
    'a secret with \u007f in it',
    'a secret with 👋 in it',
    '[filtered]',
    'whsec_this is not base64',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS=w',
    'whsec_MDEyMzQ1Nh==',
    'whsec_MDEyMzQ1Njc4OT==',
    'whsec_MDEyMzQ1Njd=',
  ])('may not be %j', async (webhookSecret) => {
    const refusal = await refusalOf(() => parseIntegrationDocument(withConfig({ webhookSecret })));
    expect(new Set(pointersOf(refusal))).toEqual(new Set(['/config/webhookSecret']));
  });

  it('is not quoted by its refusal', async () => {
    const webhookSecret = 'é PRIVATE-4711 é';
    const refusal = await refusalOf(() => parseIntegrationDocument(withConfig({ webhookSecret })));
    expect(JSON.stringify([refusal.message, refusal.faults])).not.toContain('PRIVATE');
  });

  it('is accepted back as the service makes it, and each is another', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    for (const webhookSecret of secrets) {
      expect(parseIntegrationDocument(withConfig({ webhookSecret })).config.webhookSecret).toBe(
        webhookSecret,
      );
      expect(Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(secrets.length);
  });
});

describe('a client secret', () => {
  it.each(['', 'x'.repeat(1_024), 'ключ 👋\n', '[FILTERED]'])('may be %j', (clientSecret) => {
    const { config } = parseIntegrationDocument(withConfig({ clientSecret }));
    expect(config.clientSecret).toBe(clientSecret);
  });

  it('may not have more than 1024 characters', async () => {
    const document = withConfig({ clientSecret: 'x'.repeat(1_025) });
    const refusal = await refusalOf(() => parseIntegrationDocument(document));
    expect(pointersOf(refusal)).toEqual(['/config/clientSecret']);
  });
});

describe('an integration’s id', () => {
  it('is 12 characters of base 62, and each is another', () => {
    const ids = Array.from({ length: 500 }, newIntegrationId);
    expect(ids.every((id) => /^[0-9A-Za-z]{12}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a secret, compared with another', () => {
  it.each([
    ['a secret of the tests', 'a secret of the tests', true],
    ['a secret of the tests', 'a secret of the testz', false],
    ['a secret of the tests', 'a secret of the tests ', false],
    ['a secret of the tests', '', false],
    ['', '', true],
  ])('%j is the same as %j: %s', (one, other, same) => {
    expect(isSameSecret(one, other)).toBe(same);
  });
});

/**
 * Secrets as a version that is or was in use stored them. A file is never changed: items of the
 * version are in the table when the next version is deployed.
 */
const SEALED = anIntegration({ config: sealed.config as Integration['config'] });

const NOW = new Date('2026-11-21T08:00:00.000Z');
const SECRETS = {
  webhookSecret: 'a secret of the tests',
  headers: { 'X-Api-Key': 'a key of the tests' },
  previousSecrets: [{ secret: 'a secret of yesterday', expiresAt: '2026-11-22T08:00:00.000Z' }],
};

/** The pair's private key is not wrapped. */
const pairs = {
  find: async () => sealed.keyPair,
  newest: async () => sealed.keyPair,
  add: async () => expect.fail('a key pair is made'),
};

const openSecrets = buildOpenSecrets({
  secrets: new KeyPairSecretOpener(
    { pairs, privateKeys: { unwrap: async (wrapped) => Buffer.from(wrapped, 'base64') } },
    { mostKept: 10 },
  ),
  now: () => NOW,
});

const sealer = {
  secrets: new KeyPairSecretSealer(
    {
      pairs,
      source: { make: async () => expect.fail('a key pair is made') },
      slowHash: scryptHash,
      now: () => NOW,
    },
    { pairDays: 90 },
  ),
};

const sealWebhookSecret = buildSealWebhookSecret(sealer);

describe('secrets that are sealed', () => {
  it('are opened for a request', async () => {
    expect(await openSecrets(SEALED)).toEqual(SECRETS);
  });

  it('are opened in no other header', async () => {
    const { headers = {} } = SEALED.config;
    const [value] = Object.values(headers) as [SealedSecret];
    const moved = (name: string) =>
      openSecrets({ ...SEALED, config: { ...SEALED.config, headers: { [name]: value } } });
    expect(await moved('x-api-key')).toMatchObject({
      headers: { 'x-api-key': 'a key of the tests' },
    });
    await expect(moved('X-Other')).rejects.toThrow(SecretUnreadable);
  });

  it('are recognised when they are written again, and keep earlier ones', async () => {
    const same = await sealWebhookSecret(SECRETS.webhookSecret, SEALED);
    const another = await sealWebhookSecret('another secret of theirs', SEALED);
    const { webhookSecret, previousSecrets } = SEALED.config;

    expect(writtenSecrets(SEALED.config, same, { now: NOW })).toEqual({
      webhookSecret,
      previousSecrets,
    });
    expect(writtenSecrets(SEALED.config, another, { now: NOW })).toEqual({
      webhookSecret: another,
    });
  });

  it('are no previous secrets of themselves after a rotation back to them', async () => {
    const yesterdays = await sealWebhookSecret('a secret of yesterday', SEALED);

    const overlap = { now: NOW, overlapSeconds: 60 };
    const { webhookSecret } = SEALED.config;
    const prepared = preparedSecrets(SEALED.config, yesterdays, overlap);
    expect(prepared).toEqual({ webhookSecret, nextWebhookSecret: yesterdays });
    expect(switchedSecrets(prepared, yesterdays, overlap)).toEqual({
      webhookSecret: yesterdays,
      previousSecrets: [{ secret: webhookSecret, expiresAt: '2026-11-21T08:01:00.000Z' }],
    });
  });

  it('cancel a rotation when they are prepared themselves', async () => {
    const overlap = { now: NOW, overlapSeconds: 60 };
    const { webhookSecret, previousSecrets } = SEALED.config;
    const next = await sealWebhookSecret('another secret of theirs', SEALED);
    const same = await sealWebhookSecret(SECRETS.webhookSecret, SEALED);
    const prepared = preparedSecrets(SEALED.config, next, overlap);
    expect(prepared.nextWebhookSecret).toEqual(next);
    expect(preparedSecrets(prepared, same, overlap)).toEqual({
      webhookSecret,
      previousSecrets: [
        { secret: next, expiresAt: '2026-11-21T08:01:00.000Z', wasNext: true },
        ...(previousSecrets ?? []),
      ],
    });
  });

  it('keep the next secret, until another is written', async () => {
    const next = await sealWebhookSecret('another secret of theirs', SEALED);
    const written = await sealWebhookSecret('a third secret of theirs', SEALED);
    const stored = { ...SEALED.config, nextWebhookSecret: next };
    expect(writtenSecrets(stored, undefined, { now: NOW }).nextWebhookSecret).toEqual(next);
    expect(writtenSecrets(stored, written, { now: NOW })).toEqual({ webhookSecret: written });
  });

  it('end when they expire, and all at once without an overlap', async () => {
    const next = await sealWebhookSecret('another secret of theirs', SEALED);
    const { webhookSecret, previousSecrets = [] } = SEALED.config;
    const overlap = { now: NOW, overlapSeconds: 60 };
    const expired = previousSecrets.map((one) => ({ ...one, expiresAt: NOW.toISOString() }));
    const stored = { webhookSecret, previousSecrets: expired };
    const prepared = { webhookSecret, nextWebhookSecret: next };
    expect(preparedSecrets(stored, next, overlap)).toEqual(prepared);
    expect(switchedSecrets({ ...stored, ...prepared }, next, overlap)).toEqual({
      webhookSecret: next,
      previousSecrets: [{ secret: webhookSecret, expiresAt: '2026-11-21T08:01:00.000Z' }],
    });
    const unexpired = { webhookSecret, previousSecrets };
    const none = { ...overlap, overlapSeconds: 0 };
    expect(switchedSecrets({ ...unexpired, ...prepared }, next, none)).toEqual({
      webhookSecret: next,
    });
    expect(switchedSecrets(unexpired, webhookSecret, none)).toEqual({ webhookSecret });
  });

  it('are not opened once they have expired', async () => {
    const place = {
      account: SEALED.account,
      integration: SEALED.id,
      field: 'webhookSecret',
    } as const;
    const lost = { ...(await sealer.secrets.seal('lost', place)), sealed: 'lost' };
    const withLost = (expiresAt: string): Integration => ({
      ...SEALED,
      config: { ...SEALED.config, previousSecrets: [{ secret: lost, expiresAt }] },
    });

    expect(await openSecrets(withLost(NOW.toISOString()))).toEqual({
      webhookSecret: SECRETS.webhookSecret,
      previousSecrets: [],
      headers: SECRETS.headers,
    });
    await expect(openSecrets(withLost('2026-11-21T08:00:00.001Z'))).rejects.toThrow();
  });

  it('are not sealed anew by a write that leaves them', async () => {
    expect(await buildSealConfig(sealer)(SEALED.config, SEALED)).toEqual(SEALED.config);
  });

  it.each([{ id: 'bbbbbbbbbbbb' }, { account: 'globex' }])(
    'do not sign for another integration: %j',
    async (other) => {
      await expect(openSecrets({ ...SEALED, ...other })).rejects.toThrow();
    },
  );
});
