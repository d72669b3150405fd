import { describe, expect, it } from 'vitest';
import { newIntegrationId, newWebhookSecret } from '../../../adapters/crypto/random-ids.ts';
import { parseIntegrationDocument } from '../../../core/integration/integration-document.ts';
import { isSameSecret } from '../../../core/integration/webhook-secrets.ts';
import { aDocument } from '../../support/integration/integrations.ts';
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
