import { EVENT_ID } from '../../event/event.ts';
import type { IntegrationKey, IntegrationReader } from '../../integration/integration.ts';
import { buildGetActiveIntegration } from '../../integration/read-integration.ts';
import { Refusal } from '../../refusal.ts';
import type { Delivery } from '../delivery.ts';
import { type DeliveryLogReader, isTest, type LoggedDelivery } from '../delivery-log-reader.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';

export type ResendDelivery = (
  integration: IntegrationKey,
  eventId: string,
) => Promise<LoggedDelivery>;

/**
 * Queues a delivery of the log again, delivered or not. Throws `not-found` when the log lacks the
 * delivery or its body, `integration-inactive`, and `test-delivery`: a test is never sent again.
 */
export const buildResendDelivery = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  deliveryLogReader: Pick<DeliveryLogReader, 'find' | 'bodyOf'>;
  deliveries: DeliveryQueue;
}): ResendDelivery => {
  const getActiveIntegration = buildGetActiveIntegration(ports);
  return async ({ account, id }, eventId) => {
    await getActiveIntegration(account, id);
    const logged = EVENT_ID.test(eventId)
      ? await ports.deliveryLogReader.find(id, eventId)
      : undefined;
    if (logged === undefined) throw new Refusal('not-found', 'The delivery does not exist.');
    if (isTest(logged)) {
      throw new Refusal('test-delivery', 'This delivery is a test. Send another test instead.');
    }
    const body = await ports.deliveryLogReader.bodyOf(logged);
    if (body === undefined) {
      throw new Refusal(
        'not-found',
        'What was sent is no longer kept, so it cannot be sent again.',
      );
    }
    await ports.deliveries.enqueue([deliveryAgain(logged, body, { trigger: 'manual' })]);
    return logged;
  };
};

export const deliveryAgain = (
  { account, integration, event, latestAttempt }: LoggedDelivery,
  body: string,
  { trigger }: Pick<Delivery, 'trigger'>,
): Delivery => ({
  account,
  integration,
  event,
  body,
  trigger,
  priorAttempts: latestAttempt?.number ?? 0,
});
