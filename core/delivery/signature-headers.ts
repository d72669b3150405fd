import { createHmac } from 'node:crypto';
import { inForce, type SigningSecrets } from '../integration/integration.ts';

const STANDARD_WEBHOOKS_PREFIX = 'whsec_';

/** X-Service-Signature: lower-case hex HMAC-SHA256 of the body's bytes under the secret as the customer sees it. */
export const serviceSignature = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** The key Standard Webhooks libraries derive from a secret: `whsec_` is followed by base64 of the key. */
const standardWebhooksKey = (secret: string): Buffer =>
  secret.startsWith(STANDARD_WEBHOOKS_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_WEBHOOKS_PREFIX.length), 'base64')
    : Buffer.from(secret);

/**
 * Headers by which a receiver verifies a delivery, our own and those of standardwebhooks.com.
 * `sentAt` is the attempt's instant: fresh each time, so that receivers can refuse replays.
 * `webhook-signature` has a signature by the secret and one by each previous secret in force, so
 * that a receiver may verify with either; `X-Service-Signature` has room for one, by the secret.
 */
export const signatureHeaders = (
  { webhookSecret, previousSecrets }: SigningSecrets,
  body: string,
  { deliveryId, sentAt }: { deliveryId: string; sentAt: Date },
): Record<string, string> => {
  const timestampS = Math.floor(sentAt.getTime() / 1_000);
  const signed = `${deliveryId}.${timestampS}.${body}`;
  const previous = inForce(previousSecrets, sentAt).map(({ secret }) => secret);
  return {
    'X-Service-Signature': serviceSignature(webhookSecret, body),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': [webhookSecret, ...previous]
      .map((secret) => standardSignature(secret, signed))
      .join(' '),
  };
};

const standardSignature = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', standardWebhooksKey(secret)).update(signed).digest('base64')}`;
