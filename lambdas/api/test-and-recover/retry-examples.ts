import type { z } from 'zod';
import type { retryResource } from '../../../core/delivery/resources/send-resources.ts';

/** A retry that ended the trouble. */
export const recoveredRetry: z.output<typeof retryResource> = {
  '@context': '/contexts/Retry.jsonld',
  '@type': 'Retry',
  integration: '/integrations/8Fq2LmZ0aBcD',
  result: 'recovered',
  status: 'active',
  delivery: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_01JD9R',
  attempt: {
    '@type': 'Attempt',
    number: 3,
    trigger: 'manual',
    startedAt: '2026-11-20T14:15:00.412Z',
    durationMs: 87,
    outcome: 'delivered',
    statusCode: 200,
    response: 'OK',
  },
};

/** A retry that did not end the trouble. */
export const stillFailingRetry: z.output<typeof retryResource> = {
  ...recoveredRetry,
  result: 'still-failing',
  status: 'failed',
  attempt: {
    '@type': 'Attempt',
    number: 3,
    trigger: 'manual',
    startedAt: '2026-11-20T14:15:00.412Z',
    durationMs: 203,
    outcome: 'fatal',
    statusCode: 500,
    response: 'Internal Server Error',
  },
};
