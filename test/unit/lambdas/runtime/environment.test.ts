import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { environmentSchema as changeApi } from '../../../../lambdas/api/change-api.ts';
import { environmentSchema as readApi } from '../../../../lambdas/api/read-api.ts';
import { environmentSchema as sendApi } from '../../../../lambdas/api/send-api.ts';
import { environmentSchema as authorizeRequest } from '../../../../lambdas/authorize-request/compose.ts';
import { environmentSchema as deliverWebhook } from '../../../../lambdas/deliver/deliver-webhook/compose.ts';
import { environmentSchema as retryHourly } from '../../../../lambdas/deliver/retry-hourly/compose.ts';
import { environmentSchema as routeEvent } from '../../../../lambdas/deliver/route-event/compose.ts';
import { environmentSchema as runReplay } from '../../../../lambdas/deliver/run-replay/compose.ts';
import { parseEnvironment } from '../../../../lambdas/runtime/entry.ts';

const SCHEDULES = {
  SCHEDULE_GROUP: 'integrations-dev',
  SCHEDULE_ROLE_ARN: 'arn:aws:iam::1:role/r',
  RETRY_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:1:retries',
  SCHEDULE_DEAD_LETTER_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:1:unsent',
  RETRY_INTERVAL_MS: '3600000',
};

const DELIVERY_LOG = {
  DELIVERY_LOG_TABLE: 'log',
  DELIVERY_LOG_RETENTION_DAYS: '30',
  DELIVERY_LOG_DEADLINE_MS: '1500',
};

const SECRETS = {
  KEY_PAIRS_TABLE: 'pairs',
  SECRETS_KEY_ARN: 'arn:aws:kms:eu-west-1:1:key/secrets',
  STAGE: 'dev',
};

const ATTEMPTS = {
  ...DELIVERY_LOG,
  ...SECRETS,
  CONNECT_TIMEOUT_MS: '5000',
  RESPONSE_TIMEOUT_MS: '15000',
  SERVICE_VERSION: '0.1.0',
  ALLOW_LOOPBACK: 'false',
};

const RETRY = {
  ...SCHEDULES,
  ...ATTEMPTS,
  STAGE: 'dev',
  INTEGRATIONS_TABLE: 'integrations',
  PENDING_EVENTS_TABLE: 'pending',
  REPLAY_QUEUE_URL: 'https://sqs.example/1/replay.fifo',
  FAILED_AFTER: '20',
};

const DELIVER = {
  ...RETRY,
  DELIVERIES_QUEUE_URL: 'https://sqs.example/1/deliveries',
  DELIVERIES_DEAD_LETTER_QUEUE_URL: 'https://sqs.example/1/dead',
  BACKOFF_FIRST_DELAY_MS: '15000',
  BACKOFF_MAX_DELAY_MS: '3600000',
  BACKOFF_WINDOW_MS: '43200000',
  BUSY_AFTER: '20',
  BACKOFF_SLOTS: '50',
  PROBES: '3',
  ATTEMPT_LINES: 'all',
  SLOW_LANE_QUEUE_URL: 's',
};

const REPLAY = {
  DELIVERY_LOG_TABLE: 'log',
  STAGE: 'dev',
  INTEGRATIONS_TABLE: 'i',
  PENDING_EVENTS_TABLE: 'p',
  DELIVERIES_QUEUE_URL: 'q',
  REPLAY_QUEUE_URL: 'r',
  REPLAY_DEAD_LETTER_QUEUE_URL: 'd',
};

const READ = {
  DELIVERY_LOG_TABLE: 'log',
  DIRECTORY_TABLE: 'd',
  INTEGRATIONS_TABLE: 'i',
  PENDING_EVENTS_TABLE: 'p',
  STATISTICS_TABLE: 's',
};

const CHANGE = {
  ...SCHEDULES,
  ...SECRETS,
  KEY_PAIR_DAYS: '90',
  INTEGRATIONS_TABLE: 'i',
  REPLAY_QUEUE_URL: 'r',
  DIRECTORY_TABLE: 'd',
  INTEGRATIONS_PER_ACCOUNT: '100',
  ALLOW_LOOPBACK: 'true',
};

const EVERY: [string, ZodType, Record<string, string>][] = [
  ['authorize-request', authorizeRequest, { DIRECTORY_TABLE: 'd' }],
  ['change-api', changeApi, CHANGE],
  ['deliver-webhook', deliverWebhook, DELIVER],
  ['read-api', readApi, READ],
  ['send-api', sendApi, { ...RETRY, DELIVERIES_QUEUE_URL: 'q' }],
  ['run-replay', runReplay, REPLAY],
  [
    'retry-hourly',
    retryHourly,
    { ...RETRY, RETRY_QUEUE_URL: 'q', RETRY_DEAD_LETTER_QUEUE_URL: 'd' },
  ],
  [
    'route-event',
    routeEvent,
    {
      STAGE: 'dev',
      INTEGRATIONS_TABLE: 'i',
      DELIVERIES_QUEUE_URL: 'q',
      SLOW_LANE_QUEUE_URL: 's',
      EVENTS_QUEUE_URL: 'v',
      EVENTS_DEAD_LETTER_QUEUE_URL: 'e',
    },
  ],
];

describe('a function’s environment', () => {
  it('is read as numbers and flags where it holds them', () => {
    expect(parseEnvironment(deliverWebhook, { ...DELIVER, PATH: '/usr/bin' })).toEqual({
      ...DELIVER,
      CONNECT_TIMEOUT_MS: 5_000,
      RESPONSE_TIMEOUT_MS: 15_000,
      DELIVERY_LOG_RETENTION_DAYS: 30,
      DELIVERY_LOG_DEADLINE_MS: 1_500,
      ALLOW_LOOPBACK: false,
      BACKOFF_FIRST_DELAY_MS: 15_000,
      BACKOFF_MAX_DELAY_MS: 3_600_000,
      BACKOFF_WINDOW_MS: 43_200_000,
      BUSY_AFTER: 20,
      FAILED_AFTER: 20,
      BACKOFF_SLOTS: 50,
      PROBES: 3,
      RETRY_INTERVAL_MS: 3_600_000,
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

  it('of authorize-request has the whole sign-in or none of it', () => {
    const signIn = {
      SIGN_IN_ISSUER: 'https://id.example.com',
      SIGN_IN_CLIENT_ID: 'console',
      SIGN_IN_JWKS_URI: 'https://id.example.com/jwks',
    };
    const whole = { DIRECTORY_TABLE: 'd', ...signIn };
    expect(parseEnvironment(authorizeRequest, whole)).toEqual(whole);
    for (const missing of Object.keys(signIn)) {
      expect(() => parseEnvironment(authorizeRequest, { ...whole, [missing]: undefined })).toThrow(
        new RegExp(`\\. ${missing}: the sign-in needs it$`),
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
    const wrong = { ...DELIVER, DELIVERY_LOG_TABLE: '', RESPONSE_TIMEOUT_MS: 'soon' };
    expect(() => parseEnvironment(deliverWebhook, wrong)).toThrow(
      /DELIVERY_LOG_TABLE: .*; RESPONSE_TIMEOUT_MS: /,
    );
  });
});
