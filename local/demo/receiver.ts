import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { type HttpAnswer, type HttpRequest, startHttpServer } from '../http-server.ts';

/** A POST that the receiver got, and whether its two signatures are right. */
export interface ReceivedPost {
  /** undefined when the body is not a delivery. */
  readonly delivery: ReceivedDelivery | undefined;
  readonly receivedAt: Date;
  /** Status of the answer. */
  readonly statusCode: number;
  /** Whether the receiver had already confirmed the same delivery. */
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
  onPost: (post: ReceivedPost) => void;
  /** Status of the answer to a verified delivery; 204 when absent. */
  answer?: () => number;
}

/** Starts an endpoint like an integrator's: a POST with a wrong signature gets 401. */
export const startReceiver = async (options: ReceiverOptions) => {
  const confirmed = new Set<string>();
  const { close, origin } = await startHttpServer({
    port: 0,
    portOption: '',
    maximumBodyBytes: Number.POSITIVE_INFINITY,
    certificate: options,
    handle: async (request) => receive(request, { ...options, confirmed }),
  });
  return { url: `${origin}/webhooks`, close };
};

const receive = (
  { body, headers }: HttpRequest,
  {
    answer = () => 204,
    confirmed,
    onPost,
    webhookSecret,
  }: ReceiverOptions & { confirmed: Set<string> },
): HttpAnswer => {
  const delivery = parseDelivery(body);
  const verified = {
    serviceSignature: verifyServiceSignature(headers, body, webhookSecret),
    standardWebhooks: verifyStandardWebhooks(headers, body, webhookSecret),
  };
  const status = isVerified({ verified }) ? answer() : 401;
  onPost({
    delivery,
    receivedAt: new Date(),
    statusCode: status,
    isRepeated: delivery !== undefined && confirmed.has(delivery.id),
    verified,
  });
  if (delivery !== undefined && status < 300) confirmed.add(delivery.id);
  return { status, headers: [], body: '' };
};

export const isVerified = ({ verified }: Pick<ReceivedPost, 'verified'>): boolean =>
  verified.serviceSignature && verified.standardWebhooks;

/** The event's id: the last part of the delivery's id. */
export const eventOf = ({ delivery }: ReceivedPost): string | undefined =>
  delivery?.id.split('/').at(-1);

/** Verifies as the contract says, without the service's own code. */
const verifyServiceSignature = (
  headers: HttpRequest['headers'],
  body: Buffer,
  secret: string,
): boolean => {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(String(headers['x-service-signature'] ?? ''));
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const verifyStandardWebhooks = (
  headers: HttpRequest['headers'],
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
