import { createHmac, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';
import { Webhook } from 'standardwebhooks';

const { PORT = '3000', WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET } = process.env;
// During a rotation of the secret, both secrets are accepted.
const secrets = [WEBHOOK_SECRET, PREVIOUS_WEBHOOK_SECRET].filter(Boolean);

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

  // In production, put the delivery on a durable queue before you answer.
  const isNew = remember(delivery.id);
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
await app.listen({ port: Number(PORT) });
