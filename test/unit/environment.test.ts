import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { parseEnvironment } from '../../lambdas/_runtime/environment.ts';
import { environmentSchema as authorizeRequest } from '../../lambdas/authorize-request/env.ts';
import { environmentSchema as createIntegration } from '../../lambdas/create-integration/env.ts';
import { environmentSchema as deliverWebhook } from '../../lambdas/deliver-webhook/env.ts';
import { environmentSchema as getIntegration } from '../../lambdas/get-integration/env.ts';
import { environmentSchema as getSignature } from '../../lambdas/get-signature/env.ts';
import { environmentSchema as routeEvent } from '../../lambdas/route-event/env.ts';

const DELIVER = {
  INTEGRATIONS_TABLE: 'integrations',
  ATTEMPTS_TABLE: 'attempts',
  DELIVERIES_DEAD_LETTER_QUEUE_URL: 'https://sqs.example/1/dead',
  CONNECT_TIMEOUT_MS: '5000',
  RESPONSE_TIMEOUT_MS: '15000',
  ATTEMPTS_RETENTION_DAYS: '30',
  SERVICE_VERSION: '0.1.0',
  ALLOW_LOOPBACK: 'false',
};

const EVERY: [string, ZodType, Record<string, string>][] = [
  ['authorize-request', authorizeRequest, { DIRECTORY_TABLE: 'd' }],
  [
    'create-integration',
    createIntegration,
    { DIRECTORY_TABLE: 'd', INTEGRATIONS_TABLE: 'i', ALLOW_LOOPBACK: 'true' },
  ],
  ['deliver-webhook', deliverWebhook, DELIVER],
  ['get-integration', getIntegration, { INTEGRATIONS_TABLE: 'i' }],
  ['get-signature', getSignature, { DIRECTORY_TABLE: 'd' }],
  [
    'route-event',
    routeEvent,
    { INTEGRATIONS_TABLE: 'i', DELIVERIES_QUEUE_URL: 'q', EVENTS_DEAD_LETTER_QUEUE_URL: 'e' },
  ],
];

describe('a function’s environment', () => {
  it('is read as numbers and flags where it holds them', () => {
    expect(parseEnvironment(deliverWebhook, { ...DELIVER, PATH: '/usr/bin' })).toEqual({
      ...DELIVER,
      CONNECT_TIMEOUT_MS: 5_000,
      RESPONSE_TIMEOUT_MS: 15_000,
      ATTEMPTS_RETENTION_DAYS: 30,
      ALLOW_LOOPBACK: false,
    });
  });

  it.each(EVERY)('of %s names each variable that is missing', (_name, schema, environment) => {
    expect(() => parseEnvironment(schema, environment)).not.toThrow();
    for (const missing of Object.keys(environment)) {
      const { [missing]: _, ...rest } = environment;
      expect(() => parseEnvironment(schema, rest)).toThrow(new RegExp(`\\b${missing}: `));
      expect(() => parseEnvironment(schema, { ...environment, [missing]: '' })).toThrow(
        new RegExp(`\\b${missing}: `),
      );
    }
  });

  it.each([
    ['CONNECT_TIMEOUT_MS', ['0', '-1', '1.5', '1e3', ' 5', '5s', '0x10', 'NaN', 'Infinity']],
    ['ALLOW_LOOPBACK', ['1', '0', 'yes', 'TRUE', 'False', ' true']],
  ])('has no %s but a well-formed one', (name, values) => {
    for (const value of values) {
      expect(() => parseEnvironment(deliverWebhook, { ...DELIVER, [name]: value }), value).toThrow(
        new RegExp(`\\b${name}: `),
      );
    }
  });

  it('is told everything that is wrong at once', () => {
    const wrong = { ...DELIVER, ATTEMPTS_TABLE: '', RESPONSE_TIMEOUT_MS: 'soon' };
    expect(() => parseEnvironment(deliverWebhook, wrong)).toThrow(
      /ATTEMPTS_TABLE: .*; RESPONSE_TIMEOUT_MS: /,
    );
  });
});
