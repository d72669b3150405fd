import { createHmac, timingSafeEqual } from 'node:crypto';
// The runtime of AWS Lambda brings this package.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Webhook } from 'standardwebhooks';

// During a rotation of the secret, both secrets are accepted.
const secrets = [process.env.WEBHOOK_SECRET, process.env.PREVIOUS_WEBHOOK_SECRET].filter(Boolean);
if (secrets.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret of your webhook.');

/**
 * Function URLs and HTTP APIs have names in lower case, REST APIs as they were sent. A load balancer
 * with multi-value headers has no others.
 */
const headersOf = ({ headers, multiValueHeaders }) => {
  const all = headers ?? multiValueHeaders ?? {};
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]),
  );
};

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
export const handler = async (event) => {
  // The signature covers the bytes of the body, which AWS passes on as text or base64.
  const rawBody = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (rawBody.length > 262_144) return { statusCode: 413, body: 'The body is too large.' };
  // With the stage of an HTTP API, or the base path of a domain.
  const isStandard = (event.rawPath ?? event.path).endsWith('/standard-hooks');
  const isAuthentic = isStandard ? hasStandardSignature : hasServiceSignature;
  if (!isAuthentic(rawBody, headersOf(event))) {
    console.log('refused');
    return { statusCode: 401, body: 'The signature is wrong.' };
  }
  const delivery = parseDelivery(rawBody);
  if (!delivery) return { statusCode: 400, body: 'The body is not a delivery.' };

  if (seen.has(delivery.id)) {
    console.log(`duplicate ${delivery.id}`);
  } else {
    try {
      const { QUEUE_URL: QueueUrl } = process.env;
      const message = new SendMessageCommand({ QueueUrl, MessageBody: rawBody.toString() });
      await sqs.send(message, { abortSignal: AbortSignal.timeout(5_000) });
    } catch (fault) {
      console.error('The delivery was not queued:', fault.name, fault.message);
      return { statusCode: 504 }; // The service sends it again.
    }
    remember(delivery.id); // Only now: if the queue fails, the next attempt must be queued.
  }
  return { statusCode: 204 };
};
