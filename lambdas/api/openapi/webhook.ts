import * as z from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { IN_WORDS } from '../../../core/customer-limits.ts';
import { webhookBodyResource } from '../../../core/delivery/resources/webhook-body-resource.ts';
import { createDelivery } from '../../../core/delivery/route-event.ts';
import { EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';
import { EVENT_TYPES, type EventType } from '../../../core/event/event-types.ts';

const header = z.object({
  'X-Service-Signature': z.string().meta({
    description: 'Lower-case hexadecimal HMAC-SHA256 of the body, keyed by the webhook secret.',
  }),
  'webhook-id': z.string().meta({ description: 'The `id` of the body.' }),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'When this attempt was made, in seconds since 1970.' }),
  'webhook-signature': z.string().meta({
    description:
      'As [Standard Webhooks](https://www.standardwebhooks.com) define it: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by `.`. Several, separated by a space, during a rotation of the secret.',
  }),
});

const exampleOf = (type: EventType) => {
  const delivery = createDelivery(
    {
      id: 'evt_01JD8Q',
      type,
      account: 'acme',
      occurredAt: '2026-11-20T12:00:00.000Z',
      data: { ...EVENT_CATALOGUE[type].sample },
    },
    '8Fq2LmZ0aBcD',
  );
  return { summary: type, value: JSON.parse(delivery.body) };
};

/** The call that the service makes to an integration's endpoint. */
export const webhook: ZodOpenApiOperationObject = {
  operationId: 'receiveEvent',
  tags: ['Webhook'],
  summary: 'Receive an event',
  description: `Every event that an integration is subscribed to is sent to its \`config.baseUrl\`, at least once and in no order. Verify the signature over the raw bytes of the body, answer within ${IN_WORDS.responseTimeout}, and do the work afterwards.`,
  security: [],
  requestParams: { header },
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: webhookBodyResource,
        examples: Object.fromEntries(EVENT_TYPES.map((type) => [type, exampleOf(type)])),
      },
    },
  },
  responses: {
    '2XX': { description: 'The event is confirmed.' },
    '504': {
      description: `The endpoint is busy: the event is sent again, first after ${IN_WORDS.firstDelay}, then after growing delays, for ${IN_WORDS.window}. The same applies if there is no answer in time.`,
    },
    default: {
      description:
        'Any other answer. The integration becomes `failed`: its events are pending, and attempts are made every hour until one is confirmed or the integration is changed.',
    },
  },
};
