import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { type HookRequest, headerOf } from './playground-hook.ts';

/** A POST that an endpoint received, and whether its two signatures are right. */
export interface ReceivedPost {
  /** undefined when the body is not a delivery. */
  readonly delivery: ReceivedDelivery | undefined;
  readonly receivedAt: Date;
  /** Status of the answer. */
  readonly statusCode: number;
  readonly verified: { readonly serviceSignature: boolean; readonly standardWebhooks: boolean };
}

const deliverySchema = z.object({
  id: z.string(),
  action: z.string(),
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
});

type ReceivedDelivery = z.infer<typeof deliverySchema>;

export const readPost = (request: HookRequest, webhookSecret: string): ReceivedPost => ({
  delivery: parseDelivery(request.body),
  receivedAt: request.arrivedAt,
  statusCode: request.statusCode,
  verified: {
    serviceSignature: verifyServiceSignature(request, webhookSecret),
    standardWebhooks: verifyStandardWebhooks(request, webhookSecret),
  },
});

export const isVerified = ({ verified }: ReceivedPost): boolean =>
  verified.serviceSignature && verified.standardWebhooks;

/** The event's id: the last part of the delivery's id. */
export const eventOf = ({ delivery }: ReceivedPost): string | undefined =>
  delivery?.id.split('/').at(-1);

/** Verifies as the documentation says, without the service's own code. */
const verifyServiceSignature = (request: HookRequest, secret: string): boolean => {
  const expected = Buffer.from(createHmac('sha256', secret).update(request.body).digest('hex'));
  const given = Buffer.from(headerOf(request, 'x-service-signature') ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const STANDARD_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const verifyStandardWebhooks = (request: HookRequest, secret: string): boolean => {
  const headers = STANDARD_HEADERS.map((name) => [name, headerOf(request, name) ?? '']);
  try {
    new Webhook(secret).verify(request.body, Object.fromEntries(headers));
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
