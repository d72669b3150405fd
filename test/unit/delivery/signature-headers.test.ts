import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { serviceSignature, signatureHeaders } from '../../../core/delivery/signature-headers.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** HMAC-SHA256 by the Web Crypto API, which the code under test does not use. */
const independentHmac = async (key: Uint8Array<ArrayBuffer>, message: string): Promise<Buffer> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign('HMAC', imported, bytes(message)));
};

const printableSecret = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 16,
  maxLength: 128,
});
const anyBody = fc.string({ unit: 'binary' }).map((text) => JSON.stringify({ text }));

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

  it('is the same as an independent computation for any secret and body', async () => {
    await fc.assert(
      fc.asyncProperty(printableSecret, anyBody, async (secret, body) => {
        const expected = (await independentHmac(bytes(secret), body)).toString('hex');
        expect(serviceSignature(secret, body)).toBe(expected);
      }),
    );
  });

  it('takes a whsec_ secret as the customer sees it, prefix and all', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const expected = (await independentHmac(bytes(secret), '{}')).toString('hex');
    expect(serviceSignature(secret, '{}')).toBe(expected);
  });
});

describe('the headers of Standard Webhooks', () => {
  const sentAt = new Date();
  const attempt = { deliveryId: '/integrations/0123456789Ab/deliveries/evt_1', sentAt };

  it('are those of the published example', () => {
    const headers = signatureHeaders(
      { webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      '{"test": 2432232314}',
      { deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt: new Date(1_614_265_330_000) },
    );
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

  it('are the same as an independent computation for any secret and body', async () => {
    await fc.assert(
      fc.asyncProperty(printableSecret, anyBody, async (secret, body) => {
        const headers = signatureHeaders({ webhookSecret: secret }, body, attempt);
        const message = `${attempt.deliveryId}.${headers['webhook-timestamp']}.${body}`;
        const expected = await independentHmac(bytes(secret), message);
        expect(headers['webhook-signature']).toBe(`v1,${expected.toString('base64')}`);
      }),
    );
  });

  it('carry the whole second an attempt was made in', () => {
    const headers = signatureHeaders({ webhookSecret: 'a secret of the tests' }, '{}', {
      ...attempt,
      sentAt: new Date('2026-11-20T12:00:00.999Z'),
    });
    expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-20T12:00:00Z') / 1_000));
  });
});
