import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../../core/delivery/signature-headers.ts';
import type { PreviousSecret } from '../../../core/integration/signing-secrets.ts';

const NEW = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const PUBLISHED = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OWN = 'a secret of the customer';

const previous = (secret: string, expiresAt: string): PreviousSecret => ({ secret, expiresAt });

const sign = (
  previousSecrets: readonly PreviousSecret[],
  { body = '{"text":"Grüße 👋"}', deliveryId = '/integrations/0123456789Ab/deliveries/evt_1' } = {},
  sentAt = new Date(),
) => signatureHeaders({ webhookSecret: NEW, previousSecrets }, body, { deliveryId, sentAt });

const signaturesOf = (headers: Record<string, string>) =>
  headers['webhook-signature']?.split(' ') ?? [];

describe('the signatures of a delivery during an overlap', () => {
  const later = (ms: number) => new Date(Date.now() + ms).toISOString();

  it('satisfy the standardwebhooks package with the new secret and with every previous one', () => {
    const headers = sign([previous(PUBLISHED, later(60_000)), previous(OWN, later(30_000))]);
    for (const webhook of [
      new Webhook(NEW),
      new Webhook(PUBLISHED),
      new Webhook(OWN, { format: 'raw' }),
    ]) {
      expect(webhook.verify('{"text":"Grüße 👋"}', headers)).toEqual({ text: 'Grüße 👋' });
    }
    expect(() => new Webhook('another secret', { format: 'raw' }).verify('{}', headers)).toThrow();
  });

  it('do not satisfy it with a secret that has expired', () => {
    const headers = sign([previous(PUBLISHED, later(-1_000))]);
    expect(() => new Webhook(PUBLISHED).verify('{"text":"Grüße 👋"}', headers)).toThrow();
    expect(new Webhook(NEW).verify('{"text":"Grüße 👋"}', headers)).toBeDefined();
  });

  // The second is the published example of Standard Webhooks, the first what
  // `openssl dgst -sha256 -mac HMAC -macopt hexkey:… -binary | base64` makes of the same text.
  it('are the new secret’s first, and then the published one of the previous secret', () => {
    const headers = sign(
      [previous(PUBLISHED, '2021-02-26T15:02:10.000Z')],
      { body: '{"test": 2432232314}', deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek' },
      new Date(1_614_265_330_000),
    );
    expect(headers['webhook-signature']).toBe(
      'v1,78nXHjpFP0tVJQW5D0SBwmVyyW87BV/rL6MgfM/Bw44= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('have one X-Service-Signature, of the new secret', () => {
    const headers = sign([previous(PUBLISHED, later(60_000))]);
    expect(headers['X-Service-Signature']).toBe(
      createHmac('sha256', NEW).update('{"text":"Grüße 👋"}').digest('hex'),
    );
  });

  it.each([
    ['a millisecond before it expires', '2026-11-21T07:59:59.999Z', 2],
    ['at the instant it expires', '2026-11-21T08:00:00.000Z', 1],
    ['after that', '2026-11-21T08:00:00.001Z', 1],
  ])('are made with a previous secret by when the attempt begins: %s', (_case, sentAt, count) => {
    const secrets = [previous(PUBLISHED, '2026-11-21T08:00:00.000Z')];
    expect(signaturesOf(sign(secrets, {}, new Date(sentAt)))).toHaveLength(count);
  });
});
