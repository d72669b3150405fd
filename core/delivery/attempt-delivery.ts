import type { Integration } from '../integrations/integration.ts';
import { signatureHeaders } from '../signing/signature-headers.ts';
import type { Attempt, AttemptLog, Trigger } from './attempt.ts';
import { type Delivery, deliveryId } from './delivery.ts';
import { classify } from './outcome.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** An attempt that was made, and why it is not in the delivery log if it is not. */
export interface MadeAttempt {
  readonly attempt: Attempt;
  readonly recordingFault?: unknown;
}

export type AttemptDelivery = (
  delivery: Delivery,
  integration: Integration,
  options: { number: number; trigger: Trigger },
) => Promise<MadeAttempt>;

/**
 * One POST to the integration's address, signed with its secret, and its line in the delivery log.
 *
 * A process that dies after the POST leaves the delivery where it came from: the endpoint gets it
 * again, with the same delivery id. A delivery log that cannot be written is reported
 * (`recordingFault`), not thrown: the endpoint must not receive again what it has confirmed.
 */
export const createAttemptDelivery =
  (ports: {
    endpoint: WebhookEndpoint;
    attemptLog: AttemptLog;
    now: () => Date;
    userAgent: string;
  }): AttemptDelivery =>
  async (delivery, { config }, { number, trigger }) => {
    const startedAt = ports.now();
    const result = await ports.endpoint.post({
      url: config.baseUrl,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': ports.userAgent,
        ...signatureHeaders(config.webhookSecret, delivery.body, {
          deliveryId: deliveryId(delivery.integration, delivery.event.id),
          sentAt: startedAt,
        }),
      },
      body: delivery.body,
    });
    const attempt: Attempt = {
      account: delivery.account,
      integration: delivery.integration,
      event: delivery.event,
      number,
      trigger,
      startedAt,
      durationMs: ports.now().getTime() - startedAt.getTime(),
      outcome: classify(result),
    };
    return ports.attemptLog.record(attempt).then(
      () => ({ attempt }),
      (recordingFault: unknown) => ({ attempt, recordingFault }),
    );
  };
