import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';

/** A POST that an endpoint received, and whether its two signatures are right. */
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

interface SignedRequest {
  readonly body: Buffer;
  /** The value of a header; the name is in lower case. */
  readonly header: (name: string) => string;
}

/** Reads POSTs to one webhook, and remembers which deliveries its endpoint has confirmed. */
export const createPostReader = (webhookSecret: string) => {
  const confirmed = new Set<string>();
  return (request: SignedRequest, answer: (isVerified: boolean) => number): ReceivedPost => {
    const delivery = parseDelivery(request.body);
    const verified = {
      serviceSignature: verifyServiceSignature(request, webhookSecret),
      standardWebhooks: verifyStandardWebhooks(request, webhookSecret),
    };
    const statusCode = answer(isVerified({ verified }));
    const isRepeated = delivery !== undefined && confirmed.has(delivery.id);
    if (delivery !== undefined && statusCode < 300) confirmed.add(delivery.id);
    return { delivery, receivedAt: new Date(), statusCode, isRepeated, verified };
  };
};

export const isVerified = ({ verified }: Pick<ReceivedPost, 'verified'>): boolean =>
  verified.serviceSignature && verified.standardWebhooks;

/** The event's id: the last part of the delivery's id. */
export const eventOf = ({ delivery }: ReceivedPost): string | undefined =>
  delivery?.id.split('/').at(-1);

/** Verifies as the contract says, without the service's own code. */
const verifyServiceSignature = ({ body, header }: SignedRequest, secret: string): boolean => {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(header('x-service-signature'));
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const verifyStandardWebhooks = ({ body, header }: SignedRequest, secret: string): boolean => {
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
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
