import type {
  AttemptDocument,
  DeliveryDetailsDocument,
  DeliveryDocument,
} from '../../../core/delivery/resources/delivery-resource.ts';

const failedAttempt: AttemptDocument = {
  '@type': 'Attempt',
  number: 1,
  trigger: 'event',
  startedAt: '2026-11-20T12:00:00.412Z',
  durationMs: 12,
  outcome: 'transient',
  reason: 'the connection was refused',
  code: 'ECONNREFUSED',
  explanation: '/reasons/connection-refused',
  nextAttemptAt: '2026-11-20T12:00:14.731Z',
};

const confirmedAttempt: AttemptDocument = {
  '@type': 'Attempt',
  number: 2,
  trigger: 'backoff',
  startedAt: '2026-11-20T12:00:14.802Z',
  durationMs: 87,
  outcome: 'delivered',
  statusCode: 200,
};

/** A delivery as lists show it, delivered by the second attempt. */
export const listedDelivery: DeliveryDocument = {
  '@context': '/contexts/Delivery.jsonld',
  '@type': 'Delivery',
  id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01JD8Q',
  integration: '/integrations/8Fq2LmZ0aBcD',
  eventType: 'message.received',
  occurredAt: '2026-11-20T12:00:00.000Z',
  outcome: 'delivered',
  deliveredAt: '2026-11-20T12:00:14.889Z',
  latestAttempt: confirmedAttempt,
};

/** The oldest pending delivery: its attempt made the integration failed. */
export const pendingDelivery: DeliveryDocument = {
  '@context': '/contexts/Delivery.jsonld',
  '@type': 'Delivery',
  id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01JD9R',
  integration: '/integrations/8Fq2LmZ0aBcD',
  eventType: 'message.failed',
  occurredAt: '2026-11-20T13:00:01.250Z',
  isPending: true,
};

/** A delivery that the endpoint refused again after it had confirmed another. */
export const setAsideDelivery: DeliveryDocument = {
  '@context': '/contexts/Delivery.jsonld',
  '@type': 'Delivery',
  id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01JDAS',
  integration: '/integrations/8Fq2LmZ0aBcD',
  eventType: 'message.received',
  occurredAt: '2026-11-20T13:30:07.500Z',
  isSetAside: true,
};

/** `listedDelivery` in full. */
export const deliveryInFull: DeliveryDetailsDocument = {
  ...listedDelivery,
  isPending: false,
  isSetAside: false,
  body: '{"@context":"/contexts/WebhookDelivery.jsonld","@type":"WebhookDelivery","id":"/integrations/8Fq2LmZ0aBcD/deliveries/evt_01JD8Q","webHook":"/integrations/8Fq2LmZ0aBcD","action":"message.received","timestamp":"2026-11-20T12:00:00.000Z","data":{"message":{"id":"msg_1","body":"Hello","direction":"in","from":"+13035550100","to":"+13035550199"}}}',
  attempts: [failedAttempt, { ...confirmedAttempt, response: 'OK' }],
};
