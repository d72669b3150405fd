import * as z from 'zod';
import type { PlatformEvent } from '../../event/event.ts';
import { EVENT_CATALOGUE } from '../../event/event-catalogue.ts';
import { EVENT_TYPES, NOT_AN_EVENT_TYPE } from '../../event/event-types.ts';
import type { IntegrationKey, IntegrationReader } from '../../integration/integration.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import { IGNORES_JSON_LD, parseRequestDocument } from '../../json-ld/request-document.ts';
import type { DeliveryLog } from '../delivery-log.ts';
import { createDelivery } from '../route-event.ts';
import { type MadeAttempt, type MakeAttempt, record, writeOne } from './make-attempt.ts';

export const webhookTestDocument = z
  .strictObject({
    eventType: z
      .enum(EVENT_TYPES, NOT_AN_EVENT_TYPE)
      .meta({ description: 'The event type whose sample is sent.' }),
  })
  .meta({
    id: 'WebhookTestDocument',
    description: 'What a test sends.',
    ...IGNORES_JSON_LD,
  });

export type TestIntegration = (integration: IntegrationKey, body: unknown) => Promise<MadeAttempt>;

/**
 * Sends a sample of an event type at once, in any state of the integration and past its filter, and
 * changes none.
 * Throws `not-found` and `validation`. If the process dies, the test is not repeated.
 */
export const buildTestIntegration = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  deliveryLog: Pick<DeliveryLog, 'write'>;
  makeAttempt: MakeAttempt;
  newTestEventId: () => string;
  now: () => Date;
}): TestIntegration => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }, body) => {
    const { eventType } = parseRequestDocument(webhookTestDocument, body, { name: 'WebhookTest' });
    const integration = await getIntegration(account, id);
    const event: PlatformEvent = {
      id: ports.newTestEventId(),
      type: eventType,
      account,
      occurredAt: ports.now().toISOString(),
      data: EVENT_CATALOGUE[eventType].sample,
    };
    const delivery = createDelivery(event, id);
    const made = await ports.makeAttempt(delivery, integration, { number: 1, trigger: 'test' });
    return record(made, { delivery, logged: 'nothing' }, writeOne(ports.deliveryLog));
  };
};
