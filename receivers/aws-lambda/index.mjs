import { createHmac, timingSafeEqual } from 'node:crypto';
// The runtime of AWS Lambda brings this package.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Webhook } from 'standardwebhooks';

// During a rotation of the secret, both secrets are accepted.
const secrets = [process.env.WEBHOOK_SECRET, process.env.PREVIOUS_WEBHOOK_SECRET].filter(Boolean);
if (secrets.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret of your webhook.');

const hasServiceSignature = (rawBody, headers) => {
  const actual = Buffer.from(headers['x-service-signature'] ?? '');
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
};

const hasStandardSignature = (rawBody, headers) =>
  secrets.some((secret) => {
    try {
      new Webhook(secret).verify(rawBody, headers, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });

const parseDelivery = (rawBody) => {
  try {
    const delivery = JSON.parse(rawBody.toString());
    return typeof delivery?.id === 'string' ? delivery : undefined;
  } catch {
    return undefined;
  }
};

// Every attempt of a delivery has the same id. In production, use a unique key in your database
// instead of this set, which other instances of the function do not share.
const seen = new Set();

const remember = (id) => {
  seen.add(id);
  if (seen.size > 10_000) seen.delete(seen.values().next().value);
};

const sqs = new SQSClient();

/** A function does no work after its answer: the function that reads the queue works. */
export const handler = async ({ rawPath, headers, body = '', isBase64Encoded }) => {
  // The signature covers the bytes of the body, which a function URL passes on as text or base64.
  const rawBody = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (rawBody.length > 262_144) return { statusCode: 413, body: 'The body is too large.' };
  const isAuthentic = rawPath === '/standard-hooks' ? hasStandardSignature : hasServiceSignature;
  if (!isAuthentic(rawBody, headers)) {
    console.log('refused');
    return { statusCode: 401, body: 'The signature is wrong.' };
  }
  const delivery = parseDelivery(rawBody);
  if (!delivery) return { statusCode: 400, body: 'The body is not a delivery.' };

  if (seen.has(delivery.id)) {
    console.log(`duplicate ${delivery.id}`);
  } else {
    const { QUEUE_URL: QueueUrl } = process.env;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: rawBody.toString() }));
    remember(delivery.id); // Only now: if the queue fails, the next attempt must be queued.
  }
  return { statusCode: 204 };
};
