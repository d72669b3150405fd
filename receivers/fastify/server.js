import { createHmac, timingSafeEqual } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { Webhook } from 'standardwebhooks';

const { PORT = '3000', INBOX = 'inbox.db', WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET } = process.env;
// During a rotation of the secret, both secrets are accepted.
const secrets = [WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET].filter(Boolean);

// In production, use your database or a durable queue.
const db = new DatabaseSync(INBOX);
db.exec('CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
const insert = db.prepare('INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING');

const hasServiceSignature = ({ body, headers }) => {
  const actual = Buffer.from(headers['x-service-signature'] ?? '');
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
};

const hasStandardSignature = ({ body, headers }) =>
  secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });

const verify = (isAuthentic) => async (request, reply) => {
  request.body ??= Buffer.alloc(0); // Without a body, Fastify calls no parser.
  if (isAuthentic(request)) return;
  console.log('refused');
  return reply.code(401).send('The signature is wrong.');
};

const receive = async (request, reply) => {
  const delivery = parseDelivery(request.body);
  if (!delivery) return reply.code(400).send('The body is not a delivery.');

  let isNew;
  try {
    isNew = store(delivery, request.body);
  } catch (fault) {
    console.error(fault);
    return reply.code(504).send(); // Not stored: the service sends it again.
  }
  reply.code(204).send();
  if (isNew) setImmediate(handle, delivery);
  else console.log(`duplicate ${delivery.id}`);
  return reply;
};

const webhooks = async (app) => {
  // The signature covers the bytes of the body. Fastify parses JSON by itself, so this plugin
  // replaces its parsers, for its own routes only, by one that leaves the bytes in request.body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body);
  app.post('/hooks', { preHandler: verify(hasServiceSignature) }, receive);
  app.post('/standard-hooks', { preHandler: verify(hasStandardSignature) }, receive);
};

const app = Fastify({ bodyLimit: 262_144 });
app.register(webhooks);

function parseDelivery(rawBody) {
  try {
    const delivery = JSON.parse(rawBody.toString());
    return typeof delivery?.id === 'string' ? delivery : undefined;
  } catch {
    return undefined;
  }
}

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
await app.listen({ port: Number(PORT) });
