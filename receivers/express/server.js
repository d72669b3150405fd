import { createHmac, timingSafeEqual } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import { Webhook } from 'standardwebhooks';

const { PORT = '3000', INBOX = 'inbox.db', WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET } = process.env;
// During a rotation of the secret, both secrets are accepted.
const secrets = [WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET].filter(Boolean);

// In production, use your database or a durable queue.
const db = new DatabaseSync(INBOX);
db.exec('CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
const insert = db.prepare('INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING');

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

  let isNew;
  try {
    isNew = store(delivery, rawBody);
  } catch (fault) {
    console.error(fault);
    return response.sendStatus(504); // Not stored: the service sends it again.
  }
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

/** Stores a delivery. Returns whether it is new: every attempt has the same id. Throws if it cannot. */
function store({ id }, rawBody) {
  return insert.run(id, rawBody.toString()).changes === 1;
}

if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of your webhook.');
  process.exit(1);
}
app.listen(Number(PORT));
