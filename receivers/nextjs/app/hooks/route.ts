import { createHmac, timingSafeEqual } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { after } from 'next/server';
import { Webhook } from 'standardwebhooks';

// During a rotation of the secret, both secrets are accepted.
const secrets = [process.env.WEBHOOK_SECRET, process.env.PREVIOUS_WEBHOOK_SECRET].filter(
  (secret): secret is string => Boolean(secret),
);

type IsAuthentic = (rawBody: Buffer, headers: Headers) => boolean;

const hasServiceSignature: IsAuthentic = (rawBody, headers) => {
  const actual = Buffer.from(headers.get('x-service-signature') ?? '');
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
};

const hasStandardSignature: IsAuthentic = (rawBody, headers) =>
  secrets.some((secret) => {
    try {
      new Webhook(secret).verify(rawBody, Object.fromEntries(headers), { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });

interface Delivery {
  readonly id: string;
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const parseDelivery = (rawBody: Buffer): Delivery | undefined => {
  try {
    const delivery = JSON.parse(rawBody.toString());
    return typeof delivery?.id === 'string' ? delivery : undefined;
  } catch {
    return undefined;
  }
};

const handle = ({ id, action }: Delivery): void => {
  // Your work goes here.
  console.log(`accepted ${id} ${action}`);
};

let insert: StatementSync | undefined;

/** Opened at the first delivery: the build also imports this file. */
const opened = (): StatementSync => {
  // In production, use your database or a durable queue.
  const db = new DatabaseSync(process.env.INBOX ?? 'inbox.db');
  db.exec('CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
  return db.prepare('INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING');
};

/** Stores a delivery. Returns whether it is new: every attempt has the same id. Throws if it cannot. */
const store = ({ id }: Delivery, rawBody: Buffer): boolean => {
  insert ??= opened();
  return insert.run(id, rawBody.toString()).changes === 1;
};

/** Undefined if there are more bytes than the service sends. */
const readBody = async ({ body }: Request): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > 262_144) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

export const POST = async (request: Request) => {
  // The signature covers the bytes of the body: request.json() would lose them.
  const rawBody = await readBody(request);
  if (!rawBody) return new Response('The body is too large.', { status: 413 });
  const { pathname } = new URL(request.url);
  const isAuthentic = pathname === '/standard-hooks' ? hasStandardSignature : hasServiceSignature;
  if (!isAuthentic(rawBody, request.headers)) {
    console.log('refused');
    return new Response('The signature is wrong.', { status: 401 });
  }
  const delivery = parseDelivery(rawBody);
  if (!delivery) return new Response('The body is not a delivery.', { status: 400 });

  try {
    // The answer does not wait for the work.
    if (store(delivery, rawBody)) after(() => handle(delivery));
    else console.log(`duplicate ${delivery.id}`);
  } catch (fault) {
    console.error(fault);
    return new Response(null, { status: 504 }); // Not stored: the service sends it again.
  }
  return new Response(null, { status: 204 });
};
