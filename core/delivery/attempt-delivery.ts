import type { Integration } from '../integrations/integration.ts';
import { signatureHeaders } from '../signing/signature-headers.ts';
import type { Attempt, AttemptLog, Trigger } from './attempt.ts';
import { type Delivery, deliveryId } from './delivery.ts';
import { classify, type Outcome } from './outcome.ts';
import type { WebhookEndpoint, WebhookRequest } from './webhook-endpoint.ts';

/** An attempt that was made, and why it is not in the delivery log if it is not. */
export interface MadeAttempt {
  readonly attempt: Attempt;
  /** As it was sent: signatures and the body are the integrator's, and not for our logs. */
  readonly request: WebhookRequest;
  readonly recordingFault?: unknown;
}

export type AttemptDelivery = (
  delivery: Delivery,
  integration: Integration,
  options: {
    number: number;
    trigger: Trigger;
    /** From the end of the attempt, `at`, until it is made again; undefined when it is not. */
    nextDelayMs?: (outcome: Outcome, at: Date) => number | undefined;
  },
) => Promise<MadeAttempt>;

interface Ports {
  endpoint: WebhookEndpoint;
  attemptLog: AttemptLog;
  now: () => Date;
  userAgent: string;
}

/**
 * One POST to the integration's address, signed with its secret, and its line in the delivery log.
 *
 * A process that dies after the POST leaves the delivery where it came from: the endpoint gets it
 * again, with the same delivery id. A delivery log that cannot be written is reported
 * (`recordingFault`), not thrown: the endpoint must not receive again what it has confirmed.
 */
export const createAttemptDelivery =
  (ports: Ports): AttemptDelivery =>
  async (delivery, integration, { number, trigger, nextDelayMs }) => {
    const startedAt = ports.now();
    const request = requestOf(delivery, integration, { ...ports, sentAt: startedAt });
    const outcome = classify(await ports.endpoint.post(request));
    const endedAt = ports.now();
    const delayMs = nextDelayMs?.(outcome, endedAt);
    const attempt: Attempt = {
      account: delivery.account,
      integration: delivery.integration,
      event: delivery.event,
      number,
      trigger,
      startedAt,
      durationMs: endedAt.getTime() - startedAt.getTime(),
      outcome,
      ...(delayMs !== undefined && { nextAttemptAt: new Date(endedAt.getTime() + delayMs) }),
    };
    return ports.attemptLog.record(attempt).then(
      () => ({ attempt, request }),
      (recordingFault: unknown) => ({ attempt, request, recordingFault }),
    );
  };

const requestOf = (
  { integration, event, body }: Delivery,
  { config }: Integration,
  { userAgent, sentAt }: { userAgent: string; sentAt: Date },
): WebhookRequest => ({
  url: config.baseUrl,
  headers: {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    ...signatureHeaders(config, body, {
      deliveryId: deliveryId(integration, event.id),
      sentAt,
    }),
  },
  body,
});
