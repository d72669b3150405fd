import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';

// A receiver without frameworks, right but for the fault that FAULT names.

const { PORT, INBOX = '', WEBHOOK_SECRET = '', PREVIOUS_WEBHOOK_SECRET, FAULT } = process.env;

const secrets = [
  WEBHOOK_SECRET,
  ...(PREVIOUS_WEBHOOK_SECRET !== undefined && FAULT !== 'forgets the previous secret'
    ? [PREVIOUS_WEBHOOK_SECRET]
    : []),
];

const rawBodyOf = (body: Buffer): Buffer =>
  FAULT === 'parses and serialises the body'
    ? Buffer.from(JSON.stringify(JSON.parse(body.toString())))
    : body;

const isSigned = (body: Buffer, signature: string): boolean => {
  if (signature === '') return false;
  if (FAULT === 'takes any signature') return true;
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
    const actual = Buffer.from(signature, 'latin1');
    const isComparable = actual.length === expected.length || FAULT === 'compares any lengths';
    return isComparable && timingSafeEqual(actual, expected);
  });
};

const isVerified = (body: Buffer, headers: Record<string, string>): boolean =>
  secrets.some((secret) => {
    const webhook = new Webhook(secret);
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
    if (FAULT === 'ignores the timestamp' && id !== '' && timestamp !== '') {
      const signature = webhook.sign(id, new Date(Number(timestamp) * 1_000), body.toString());
      return headers['webhook-signature']?.split(' ').includes(signature) ?? false;
    }
    try {
      webhook.verify(body.toString(), headers);
      return true;
    } catch {
      return false;
    }
  });

const seen = new Set<string>();

const actionOf = (text: string): { id: string; action: string } | undefined => {
  try {
    const { id, action } = JSON.parse(text);
    return typeof id === 'string' ? { id, action } : undefined;
  } catch {
    return undefined;
  }
};

const answerTo = async (path: string, body: Buffer, headers: Record<string, string>) => {
  if (FAULT === 'takes 100 kB' && body.length > 102_400) return 413;
  const isAuthentic =
    path === '/hooks'
      ? isSigned(rawBodyOf(body), headers['x-service-signature'] ?? '')
      : isVerified(rawBodyOf(body), headers);
  if (FAULT === 'logs the secret') console.error(`verified with ${WEBHOOK_SECRET}`);
  if (!isAuthentic) {
    console.log('refused');
    return 401;
  }
  const delivery = actionOf(body.toString());
  if (delivery === undefined) return 400;
  const { id, action } = delivery;
  if (seen.has(id) && FAULT !== 'handles duplicates') {
    console.log(`duplicate ${id}`);
    return 204;
  }
  if (FAULT === 'remembers what it could not store') seen.add(id);
  try {
    appendFileSync(INBOX, body);
  } catch {
    if (FAULT === 'fails without its store') return 500;
    if (FAULT !== 'confirms what it could not store') return 504;
  }
  seen.add(id);
  console.log(`accepted ${id} ${action}`);
  return 204;
};

const MAX_BYTES = FAULT === 'takes any number of bytes' ? Number.POSITIVE_INFINITY : 262_144;

/** Undefined if it is too large. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  let body = Buffer.alloc(0);
  for await (const chunk of request) {
    body = Buffer.concat([body, chunk]);
    if (body.length > MAX_BYTES) return undefined;
  }
  return body;
};

const server = createServer(async (request, response) => {
  const headers = request.headers as Record<string, string>;
  try {
    const body = await bodyOf(request);
    const status = body ? await answerTo(request.url ?? '', body, headers) : 413;
    response.writeHead(status).end();
  } catch {
    response.writeHead(500).end();
  }
});
server.listen(Number(PORT), '127.0.0.1');
