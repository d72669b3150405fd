import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';

/** A POST that came, and what of it could be verified. */
export interface Arrival {
  /** undefined when the body is not a delivery. */
  readonly delivery: ReceivedDelivery | undefined;
  readonly arrivedAt: Date;
  /** What it was answered with. */
  readonly statusCode: number;
  /** The same delivery came before and was confirmed. */
  readonly isRepeated: boolean;
  readonly verified: { readonly serviceSignature: boolean; readonly standardWebhooks: boolean };
}

const deliverySchema = z.object({
  id: z.string(),
  action: z.string(),
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
});

type ReceivedDelivery = z.infer<typeof deliverySchema>;

export interface ReceiverOptions {
  certFile: string;
  keyFile: string;
  webhookSecret: string;
  onArrival: (arrival: Arrival) => void;
  /** What a delivery that is verified is answered with; 204 unless told otherwise. */
  answer?: () => number;
}

export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

/** An endpoint as an integrator builds one: it confirms what it can verify and refuses the rest. */
export const startReceiver = async (options: ReceiverOptions): Promise<Receiver> => {
  const [cert, key] = await Promise.all([readFile(options.certFile), readFile(options.keyFile)]);
  const seen = new Set<string>();
  const server = createServer({ cert, key }, (request, response) => {
    receive(request, response, { ...options, seen }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/webhooks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const receive = async (
  request: IncomingMessage,
  response: ServerResponse,
  { answer = () => 204, onArrival, seen, webhookSecret }: ReceiverOptions & { seen: Set<string> },
): Promise<void> => {
  const body = await buffer(request);
  const delivery = parseDelivery(body);
  const verified = {
    serviceSignature: verifyServiceSignature(request, body, webhookSecret),
    standardWebhooks: verifyStandardWebhooks(request, body, webhookSecret),
  };
  const statusCode = isVerified({ verified }) ? answer() : 401;
  response.writeHead(statusCode).end();
  onArrival({
    delivery,
    arrivedAt: new Date(),
    statusCode,
    isRepeated: delivery !== undefined && seen.has(delivery.id),
    verified,
  });
  if (delivery !== undefined && statusCode < 300) seen.add(delivery.id);
};

export const isVerified = ({ verified }: Pick<Arrival, 'verified'>): boolean =>
  verified.serviceSignature && verified.standardWebhooks;

/** The event's id is the end of the delivery's. */
export const eventOf = ({ delivery }: Arrival): string | undefined =>
  delivery?.id.split('/').at(-1);

/** Computed here, from the contract, and not by the service's own code. */
const verifyServiceSignature = (
  { headers }: IncomingMessage,
  body: Buffer,
  secret: string,
): boolean => {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(String(headers['x-service-signature'] ?? ''));
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const verifyStandardWebhooks = (
  { headers }: IncomingMessage,
  body: Buffer,
  secret: string,
): boolean => {
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    return true;
  } catch {
    return false;
  }
};

const parseDelivery = (body: Buffer): ReceivedDelivery | undefined => {
  try {
    return deliverySchema.parse(JSON.parse(body.toString()));
  } catch {
    return undefined;
  }
};
