// sample begins
import { createHmac, timingSafeEqual } from 'node:crypto';
import { after } from 'next/server';
import { Webhook } from 'standardwebhooks';
import { type Delivery, handle, isNew } from './deliveries';

// During a rotation of the secret, both secrets are accepted.
const secrets = [process.env.WEBHOOK_SECRET, process.env.PREVIOUS_WEBHOOK_SECRET].filter(
  (secret): secret is string => Boolean(secret),
);

type IsAuthentic = (rawBody: Buffer, headers: Headers) => boolean;

export const hasServiceSignature: IsAuthentic = (rawBody, headers) => {
  const actual = Buffer.from(headers.get('x-service-signature') ?? '');
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
};

export const hasStandardSignature: IsAuthentic = (rawBody, headers) =>
  secrets.some((secret) => {
    try {
      new Webhook(secret).verify(rawBody, Object.fromEntries(headers), { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });

const parseDelivery = (rawBody: Buffer): Delivery | undefined => {
  try {
    const delivery = JSON.parse(rawBody.toString());
    return typeof delivery?.id === 'string' ? delivery : undefined;
  } catch {
    return undefined;
  }
};

// app/hooks/route.ts exports it: export const POST = receive(hasServiceSignature);
export const receive = (isAuthentic: IsAuthentic) => async (request: Request) => {
  // The signature covers the bytes of the body: request.json() would lose them.
  const rawBody = Buffer.from(await request.arrayBuffer());
  if (!isAuthentic(rawBody, request.headers)) {
    console.log('refused');
    return new Response('The signature is wrong.', { status: 401 });
  }
  const delivery = parseDelivery(rawBody);
  if (!delivery) return new Response('The body is not a delivery.', { status: 400 });

  // Answer first, work afterwards. In production, a durable queue belongs here.
  if (isNew(delivery.id)) after(() => handle(delivery));
  else console.log(`duplicate ${delivery.id}`);
  return new Response(null, { status: 204 });
};
// sample ends
