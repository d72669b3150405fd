import type { DeliveryQueue } from '../events/route-event.ts';
import type { IntegrationStore } from '../integrations/integration.ts';
import { Refusal } from '../refusal.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryHistory, LoggedDelivery } from './delivery-log.ts';
import { createGetActiveIntegration } from './get-active-integration.ts';
import { EVENT_ID } from './get-delivery.ts';
import { isTestEvent } from './test-event.ts';

export type ResendDelivery = (
  integration: { account: string; id: string },
  eventId: string,
) => Promise<LoggedDelivery>;

/**
 * Puts a delivery of the log on the deliveries queue again, whether it arrived or not, with its id
 * and the bytes that were sent. Throws `not-found` for one that is not, or no longer, in the log,
 * `integration-inactive`, and `test-delivery` for a sample, which counts for nothing.
 */
export const createResendDelivery = (ports: {
  integrations: IntegrationStore;
  history: Pick<DeliveryHistory, 'find' | 'bodyOf'>;
  deliveries: Pick<DeliveryQueue, 'enqueue'>;
}): ResendDelivery => {
  const getActiveIntegration = createGetActiveIntegration(ports);
  return async ({ account, id }, eventId) => {
    await getActiveIntegration(account, id);
    const logged = EVENT_ID.test(eventId) ? await ports.history.find(id, eventId) : undefined;
    if (logged === undefined) throw new Refusal('not-found', 'There is no such delivery.');
    if (isTestEvent(logged.event)) {
      throw new Refusal('test-delivery', 'This was a test: send another one instead.');
    }
    const body = await ports.history.bodyOf(logged);
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

/** A delivery of the log as it goes on the deliveries queue again. */
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
