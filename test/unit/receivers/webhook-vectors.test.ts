import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signatureHeaders } from '../../../core/delivery/signature-headers.ts';
import {
  VECTORS_FILE,
  type Vector,
  vectorsText,
  webhookVectors,
} from '../../../tools/docs/webhook-vectors.ts';

const vectors: readonly Vector[] = JSON.parse(await readFile(VECTORS_FILE, 'utf8'));

const isAccepted = ({ serviceSignature, standardWebhooks }: Vector) =>
  serviceSignature.isAuthentic && standardWebhooks.isAuthentic;

const libraryAccepts = ({ secrets, headers, body }: Vector): boolean =>
  secrets.some((secret) => {
    const format = secret.startsWith('whsec_') ? undefined : ('raw' as const);
    try {
      new Webhook(secret, { format }).verify(body, { ...headers });
      return true;
    } catch {
      return false;
    }
  });

describe('receivers/vectors.json', () => {
  afterEach(() => void vi.useRealTimers());

  it('is written by `npm run docs`', async () => {
    expect(await readFile(VECTORS_FILE, 'utf8')).toBe(vectorsText());
    expect(webhookVectors().length).toBeGreaterThan(15);
  });

  it.each(vectors.filter(isAccepted))('has what the service signs: $name', (vector) => {
    const { secrets, headers, body } = vector;
    const signers = headers['webhook-signature']?.split(' ').length ?? 0;
    const [webhookSecret = '', ...previous] = secrets;
    const previousSecrets = previous.map((secret) => ({
      secret,
      expiresAt: '2026-11-21T12:00:00.000Z',
    }));
    const signed = signatureHeaders({ webhookSecret, previousSecrets }, body, {
      deliveryId: headers['webhook-id'] ?? '',
      sentAt: new Date(Number(headers['webhook-timestamp']) * 1_000),
    });
    // A receiver that knows one of two secrets compares with the first signature.
    const known = signed['webhook-signature'] ?? '';
    expect(headers['webhook-signature']?.startsWith(known)).toBe(true);
    expect(signers).toBeGreaterThanOrEqual(secrets.length);
    expect({ ...headers, 'webhook-signature': known }).toEqual(signed);
  });

  it.each(vectors)('agrees with the HMAC of the bytes: $name', (vector) => {
    const bytes = Buffer.from(vector.bodyBase64, 'base64');
    const accepted = vector.secrets.map((secret) =>
      createHmac('sha256', Buffer.from(secret)).update(bytes).digest('hex'),
    );

    expect(bytes.toString()).toBe(vector.body);
    expect(accepted.includes(vector.headers['X-Service-Signature'] ?? '')).toBe(
      vector.serviceSignature.isAuthentic,
    );
  });

  it.each(vectors)('agrees with the library of Standard Webhooks: $name', (vector) => {
    vi.useFakeTimers({ now: new Date(vector.verifyAt), toFake: ['Date'] });

    expect(libraryAccepts(vector)).toBe(vector.standardWebhooks.isAuthentic);
  });
});
