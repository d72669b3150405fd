import * as z from 'zod';
import type { PlatformEvent } from '../events/event.ts';
import { EVENT_DATA_SAMPLES } from '../events/event-data-samples.ts';
import { EVENT_TYPES } from '../events/event-type.ts';
import { createGetIntegration } from '../integrations/get-integration.ts';
import type { IntegrationStore } from '../integrations/integration.ts';
import { IGNORES_JSON_LD, parseRequestDocument } from '../request-document.ts';
import type { AttemptDelivery, MadeAttempt } from './attempt-delivery.ts';
import { createDelivery } from './delivery.ts';
import type { DeliveryLog } from './delivery-log.ts';

/** The body of a call that tests an integration. */
export const webhookTestDocument = z
  .strictObject({
    eventType: z
      .enum(EVENT_TYPES, 'must be one of the eight event types')
      .meta({ description: 'Whose sample is sent.' }),
  })
  .meta({
    id: 'WebhookTestDocument',
    description: 'What a test sends.',
    ...IGNORES_JSON_LD,
  });

export type TestIntegration = (
  integration: { account: string; id: string },
  body: unknown,
) => Promise<MadeAttempt>;

/**
 * Sends a sample of an event type now, whatever the integration's state, and never changes it.
 * Throws `not-found` and `validation`.
 *
 * The delivery is in the log before it is sent: a process that dies meanwhile leaves one without
 * an attempt, which nothing sends again.
 */
export const createTestIntegration = (ports: {
  integrations: IntegrationStore;
  deliveryLog: Pick<DeliveryLog, 'open'>;
  attemptDelivery: AttemptDelivery;
  /** One that `isTestEvent` tells. */
  newTestEventId: () => string;
  now: () => Date;
}): TestIntegration => {
  const getIntegration = createGetIntegration(ports);
  return async ({ account, id }, body) => {
    const { eventType } = parseRequestDocument(webhookTestDocument, body, { name: 'WebhookTest' });
    const integration = await getIntegration(account, id);
    const event: PlatformEvent = {
      id: ports.newTestEventId(),
      type: eventType,
      account,
      occurredAt: ports.now().toISOString(),
      data: EVENT_DATA_SAMPLES[eventType],
    };
    const delivery = createDelivery(event, id);
    await ports.deliveryLog.open([delivery]);
    return ports.attemptDelivery(delivery, integration, { number: 1, trigger: 'test' });
  };
};
