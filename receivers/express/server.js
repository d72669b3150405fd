import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { Webhook } from 'standardwebhooks';

const { PORT = '3000', WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET } = process.env;
// During a rotation of the secret, both secrets are accepted.
const secrets = [WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET].filter(Boolean);

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

const receive = (isAuthentic) => (request, response) => {
  const rawBody = request.body ?? Buffer.alloc(0); // Without a body, express.raw sets none.
  if (!isAuthentic(rawBody, request.headers)) {
    console.log('refused');
    return response.status(401).send('The signature is wrong.');
  }
  const delivery = parseDelivery(rawBody);
  if (!delivery) return response.status(400).send('The body is not a delivery.');

  // In production, put the delivery on a durable queue before you answer.
  const isNew = remember(delivery.id);
  response.sendStatus(204);
  if (isNew) setImmediate(handle, delivery);
  else console.log(`duplicate ${delivery.id}`);
};

// The signature covers the bytes of the body, which express.raw leaves in request.body. The service
// sends at most 262,144.
// Add these routes before any app.use(express.json()): it replaces the bytes by an object.
const raw = express.raw({ type: () => true, limit: 262_144 });
const app = express();
app.post('/hooks', raw, receive(hasServiceSignature));
app.post('/standard-hooks', raw, receive(hasStandardSignature));

function handle({ id, action }) {
  // Your work goes here.
  console.log(`accepted ${id} ${action}`);
}

// Every attempt of a delivery has the same id. In production, use a unique key in your database
// instead of this set, which a restart empties.
const seen = new Set();

/** Whether the id is new. */
function remember(id) {
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > 10_000) seen.delete(seen.values().next().value);
  return true;
}

if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of your webhook.');
  process.exit(1);
}
app.listen(Number(PORT));
