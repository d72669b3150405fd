import type { z } from 'zod';
import type {
  retryResource,
  webhookTestResource,
} from '../../../core/delivery/resources/send-resources.ts';

const test = {
  '@type': 'Attempt',
  number: 1,
  trigger: 'test',
  startedAt: '2026-11-20T14:15:00.114Z',
} as const;

const retry = {
  '@type': 'Attempt',
  number: 3,
  trigger: 'manual',
  startedAt: '2026-11-20T14:15:00.412Z',
} as const;

const confirmed = { outcome: 'delivered', statusCode: 200, response: 'OK' } as const;

/** A test that the endpoint confirmed, signed with the secret of the other examples. */
export const testedWebhook: z.output<typeof webhookTestResource> = {
  '@context': '/contexts/WebhookTest.jsonld',
  '@type': 'WebhookTest',
  integration: '/integrations/8Fq2LmZ0aBcD',
  delivery: '/integrations/8Fq2LmZ0aBcD/deliveries/test_6kQ0vW3sYb1nTfR9xLzA',
  eventType: 'message.received',
  request: {
    url: 'https://hooks.example.com/in',
    headers: {
      'Content-Type': 'application/json',
      Accept: '*/*',
      'Accept-Encoding': 'identity',
      'User-Agent': 'Service-Webhooks/1.0.0',
      'X-Service-Signature': '0b9dcbfd689ed3a2462acc333e2eca148851e6fe2a18fbcae27032c4a549bd84',
      'webhook-id': '/integrations/8Fq2LmZ0aBcD/deliveries/test_6kQ0vW3sYb1nTfR9xLzA',
      'webhook-timestamp': '1795184100',
      'webhook-signature': 'v1,rrIn+okCkw2R5SL4kkb6CABfcFw36ly7AXx3J6DDlC8=',
    },
    body: '{"@context":"/contexts/WebhookDelivery.jsonld","@type":"WebhookDelivery","id":"/integrations/8Fq2LmZ0aBcD/deliveries/test_6kQ0vW3sYb1nTfR9xLzA","webHook":"/integrations/8Fq2LmZ0aBcD","action":"message.received","timestamp":"2026-11-20T14:15:00.000Z","data":{"message":{"id":"msg_9001","body":"Hello, has my order come in?","direction":"in","from":"+13035550100","to":"+13035550199"},"contact":{"id":"con_7Q2M","name":"Grace Hopper","phone":"+13035550100"}}}',
  },
  attempt: { ...test, durationMs: 87, ...confirmed },
};

/** A test whose connection the endpoint refused. */
export const refusedTest: z.output<typeof webhookTestResource> = {
  ...testedWebhook,
  attempt: {
    ...test,
    durationMs: 12,
    outcome: 'transient',
    reason: 'the connection was refused',
    code: 'ECONNREFUSED',
    explanation: '/reasons/connection-refused',
  },
};

/** A retry that ended the trouble. */
export const recoveredRetry: z.output<typeof retryResource> = {
  '@context': '/contexts/Retry.jsonld',
  '@type': 'Retry',
  integration: '/integrations/8Fq2LmZ0aBcD',
  result: 'recovered',
  status: 'active',
  delivery: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01JD9R',
  attempt: { ...retry, durationMs: 87, ...confirmed },
};

/** A retry that did not end the trouble. */
export const stillFailingRetry: z.output<typeof retryResource> = {
  ...recoveredRetry,
  result: 'still-failing',
  status: 'failed',
  attempt: {
    ...retry,
    durationMs: 203,
    outcome: 'fatal',
    statusCode: 500,
    explanation: '/reasons/status-500',
    response: 'Internal Server Error',
  },
};
