import type { Integration } from '../integrations/integration.ts';
import { signatureHeaders } from '../signing/signature-headers.ts';
import type { Attempt, AttemptLog } from './attempt.ts';
import { type Delivery, deliveryId } from './delivery.ts';
import { classify } from './outcome.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export type FindIntegration = (account: string, id: string) => Promise<Integration | undefined>;

/** `dropped`: meant for nobody any more, because the integration is deleted or inactive. */
export type DeliveryResult =
  | { readonly kind: 'dropped'; readonly because: 'deleted' | 'inactive' }
  | { readonly kind: 'attempted'; readonly attempt: Attempt; readonly recordingFault?: unknown };

export type DeliverWebhook = (
  delivery: Delivery,
  options: { attemptNumber: number; findIntegration: FindIntegration },
) => Promise<DeliveryResult>;

/**
 * Attempts a delivery once. Throws only when the integration cannot be read: nothing was sent
 * then, and the message has to come back.
 *
 * A process that dies after the POST leaves the message in its queue: the endpoint gets it again,
 * with the same delivery id. A delivery log that cannot be written is reported
 * (`recordingFault`), not thrown: the endpoint must not receive again what it has confirmed.
 */
export const createDeliverWebhook =
  (ports: {
    endpoint: WebhookEndpoint;
    attemptLog: AttemptLog;
    now: () => Date;
    userAgent: string;
  }): DeliverWebhook =>
  async (delivery, { attemptNumber, findIntegration }) => {
    const integration = await findIntegration(delivery.account, delivery.integration);
    if (integration === undefined) return { kind: 'dropped', because: 'deleted' };
    if (!integration.active) return { kind: 'dropped', because: 'inactive' };

    const startedAt = ports.now();
    const result = await ports.endpoint.post({
      url: integration.config.baseUrl,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': ports.userAgent,
        ...signatureHeaders(integration.config.webhookSecret, delivery.body, {
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
      number: attemptNumber,
      trigger: attemptNumber === 1 ? 'event' : 'backoff',
      startedAt,
      durationMs: ports.now().getTime() - startedAt.getTime(),
      outcome: classify(result),
    };
    return ports.attemptLog.record(attempt).then(
      () => ({ kind: 'attempted', attempt }),
      (recordingFault: unknown) => ({ kind: 'attempted', attempt, recordingFault }),
    );
  };
