import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Webhook } from 'standardwebhooks';

/** What the app needs of a D1 database. */
export interface Database {
  prepare(sql: string): {
    bind(...values: string[]): { run(): Promise<{ meta: { changes: number } }> };
  };
}

type App = {
  Bindings: { WEBHOOK_SECRET: string; PREVIOUS_WEBHOOK_SECRET?: string; INBOX: Database };
};
type IsAuthentic = (rawBody: ArrayBuffer, c: Context<App>) => Promise<boolean>;

// During a rotation of the secret, both secrets are accepted.
const secretsOf = ({ env }: Context<App>): readonly string[] =>
  [env.WEBHOOK_SECRET, env.PREVIOUS_WEBHOOK_SECRET].flatMap((secret) => secret || []);

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

const hasServiceSignature: IsAuthentic = async (rawBody, c) => {
  const hex = c.req.header('x-service-signature') ?? '';
  if (!/^[0-9a-f]{64}$/.test(hex)) return false;
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  for (const secret of secretsOf(c)) {
    const bytes = new TextEncoder().encode(secret);
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
    // It compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, signature, rawBody)) return true;
  }
  return false;
};

const hasStandardSignature: IsAuthentic = async (rawBody, c) => {
  const text = new TextDecoder().decode(rawBody);
  return secretsOf(c).some((secret) => {
    try {
      new Webhook(secret).verify(text, c.req.header(), { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });
};

interface Delivery {
  readonly id: string;
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const parseDelivery = (rawBody: ArrayBuffer): Delivery | undefined => {
  try {
    const delivery = JSON.parse(new TextDecoder().decode(rawBody));
    return typeof delivery?.id === 'string' ? delivery : undefined;
  } catch {
    return undefined;
  }
};

const handle = async ({ id, action }: Delivery): Promise<void> => {
  // Your work goes here.
  console.log(`accepted ${id} ${action}`);
};

const INSERT = 'INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING';

/** Stores a delivery. Returns whether it is new: every attempt has the same id. Throws if it cannot. */
const store = async ({ id }: Delivery, rawBody: ArrayBuffer, inbox: Database): Promise<boolean> => {
  const { meta } = await inbox.prepare(INSERT).bind(id, new TextDecoder().decode(rawBody)).run();
  return meta.changes === 1;
};

const receive = (isAuthentic: IsAuthentic) => async (c: Context<App>) => {
  // The signature covers the bytes of the body: c.req.json() would lose them.
  const rawBody = await c.req.arrayBuffer();
  if (!(await isAuthentic(rawBody, c))) {
    console.log('refused');
    return c.text('The signature is wrong.', 401);
  }
  const delivery = parseDelivery(rawBody);
  if (!delivery) return c.text('The body is not a delivery.', 400);

  const { executionCtx } = c; // Throws in Node without server.ts, before the delivery is stored.
  try {
    // The answer does not wait for the work.
    if (await store(delivery, rawBody, c.env.INBOX)) executionCtx.waitUntil(handle(delivery));
    else console.log(`duplicate ${delivery.id}`);
  } catch (fault) {
    console.error(fault);
    return c.body(null, 504); // Not stored: the service sends it again.
  }
  return c.body(null, 204);
};

const app = new Hono<App>();
app.use(bodyLimit({ maxSize: 262_144 }));
app.post('/hooks', receive(hasServiceSignature));
app.post('/standard-hooks', receive(hasStandardSignature));
export default app;
