import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { inForce, type SigningSecrets } from '../integration/signing-secrets.ts';

/** The product of the `User-Agent` of every delivery. Customers cannot set that header. */
export const USER_AGENT = 'Service-Webhooks';

const STANDARD_WEBHOOKS_PREFIX = 'whsec_';

/** HMAC-SHA256 of the body, hexadecimal; the key is the secret as customers see it. */
export const serviceSignature = (secret: string, body: string): string =>
  hmac(createSecretKey(secret, 'utf8'), body).digest('hex');

/** The key that Standard Webhooks libraries use: base64 after `whsec_`, else the secret. */
const standardWebhooksKey = (secret: string): KeyObject =>
  secret.startsWith(STANDARD_WEBHOOKS_PREFIX)
    ? createSecretKey(secret.slice(STANDARD_WEBHOOKS_PREFIX.length), 'base64')
    : createSecretKey(secret, 'utf8');

/**
 * Our header, and those of standardwebhooks.com. `webhook-signature` has a signature for the secret,
 * the next one, and each previous secret in force; `X-Service-Signature` only for the secret.
 */
export const signatureHeaders = (
  { webhookSecret, nextWebhookSecret, previousSecrets }: SigningSecrets,
  body: string,
  { deliveryId, sentAt }: { deliveryId: string; sentAt: Date },
): Record<string, string> => {
  const timestampS = Math.floor(sentAt.getTime() / 1_000);
  const signed = `${deliveryId}.${timestampS}.${body}`;
  const next = nextWebhookSecret === undefined ? [] : [nextWebhookSecret];
  const previous = inForce(previousSecrets, sentAt).map(({ secret }) => secret);
  return {
    'X-Service-Signature': serviceSignature(webhookSecret, body),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': [webhookSecret, ...next, ...previous]
      .map((secret) => standardSignature(secret, signed))
      .join(' '),
  };
};

const standardSignature = (secret: string, signed: string): string =>
  `v1,${hmac(standardWebhooksKey(secret), signed).digest('base64')}`;

/** Node signs with a `KeyObject` in half the time that a key of text or bytes takes. */
const hmac = (key: KeyObject, signed: string) => createHmac('sha256', key).update(signed);
