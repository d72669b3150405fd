import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { serviceSignature, signatureHeaders } from '../../../core/delivery/signature-headers.ts';
import type { PreviousSecret } from '../../../core/integration/signing-secrets.ts';

const PUBLISHED = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('X-Service-Signature', () => {
  it.each([
    [
      'the documentation of GitHub’s webhooks',
      "It's a Secret to Everybody",
      'Hello, World!',
      '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    ],
    [
      'RFC 4231, test case 2',
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      'the usual example of HMAC',
      'key',
      'The quick brown fox jumps over the lazy dog',
      'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
    ],
  ])('is what %s says it is', (_source, secret, body, signature) => {
    expect(serviceSignature(secret, body)).toBe(signature);
  });

  it('takes a whsec_ secret as the customer sees it, prefix and all', () => {
    const expected = createHmac('sha256', PUBLISHED).update('{}').digest('hex');
    expect(serviceSignature(PUBLISHED, '{}')).toBe(expected);
  });
});

describe('the headers of Standard Webhooks', () => {
  const sentAt = new Date();
  const attempt = { deliveryId: '/integrations/0123456789Ab/deliveries/evt_1', sentAt };

  it('are those of the published example', () => {
    const headers = signatureHeaders({ webhookSecret: PUBLISHED }, '{"test": 2432232314}', {
      deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      sentAt: new Date(1_614_265_330_000),
    });
    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('do not satisfy it when the body was changed', () => {
    const secret = 'a secret of the tests';
    const headers = signatureHeaders({ webhookSecret: secret }, '{"amount":1}', attempt);
    const webhook = new Webhook(secret, { format: 'raw' });
    expect(() => webhook.verify('{"amount":2}', headers)).toThrow();
  });

  it('carry the whole second an attempt was made in', () => {
    const headers = signatureHeaders({ webhookSecret: 'a secret of the tests' }, '{}', {
      ...attempt,
      sentAt: new Date('2026-11-20T12:00:00.999Z'),
    });
    expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-20T12:00:00Z') / 1_000));
  });
});

const NEW = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const OWN = 'a secret of the customer';

const previous = (secret: string, expiresAt: string): PreviousSecret => ({ secret, expiresAt });

const sign = (
  previousSecrets: readonly PreviousSecret[],
  { body = '{"text":"Grüße 👋"}', deliveryId = '/integrations/0123456789Ab/deliveries/evt_1' } = {},
  sentAt = new Date(),
) => signatureHeaders({ webhookSecret: NEW, previousSecrets }, body, { deliveryId, sentAt });

const signaturesOf = (headers: Record<string, string>) =>
  headers['webhook-signature']?.split(' ') ?? [];

describe('the signatures of a delivery while a rotation is prepared', () => {
  const body = '{"a":1}';
  const signing = { deliveryId: '/integrations/a/deliveries/b', sentAt: new Date() };
  const secrets = { webhookSecret: PUBLISHED, nextWebhookSecret: NEW };
  const headers = signatureHeaders(secrets, body, signing);

  it('satisfy the standardwebhooks package with the present and next secret', () => {
    for (const secret of [PUBLISHED, NEW]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ a: 1 });
    }
  });

  it('have the present secret alone in X-Service-Signature', () => {
    expect(headers['X-Service-Signature']).toBe(serviceSignature(PUBLISHED, body));
  });
});

describe('the signatures of a delivery during an overlap', () => {
  const later = (ms: number) => new Date(Date.now() + ms).toISOString();

  it('satisfy the standardwebhooks package with each previous secret', () => {
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
  it('are the new secret’s first, then the published one of the previous', () => {
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
