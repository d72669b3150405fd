import { describe, expect, it } from 'vitest';
import { environmentSchema as authorizeRequest } from '../../../../lambdas/authorize-request/compose.ts';
import { environmentSchema as deliverWebhook } from '../../../../lambdas/consumers/deliver-webhook/compose.ts';
import { parseEnvironment } from '../../../../lambdas/runtime/entry.ts';

const DELIVER = {
  STAGE: 'dev',
  INTEGRATIONS_TABLE: 'integrations',
  PENDING_EVENTS_TABLE: 'pending',
  DELIVERY_LOG_TABLE: 'log',
  DELIVERY_LOG_DEADLINE_MS: '1500',
  KEY_PAIRS_TABLE: 'pairs',
  SECRETS_KEY_ARN: 'arn:aws:kms:eu-west-1:1:key/secrets',
  SCHEDULE_GROUP: 'integrations-dev',
  SCHEDULE_ROLE_ARN: 'arn:aws:iam::1:role/r',
  SCHEDULE_DEAD_LETTER_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:1:unsent',
  RETRY_QUEUE_ARN: 'arn:aws:sqs:eu-west-1:1:retries',
  RETRY_INTERVAL_MS: '3600000',
  REPLAY_QUEUE_URL: 'https://sqs.example/1/replay.fifo',
  DELIVERIES_QUEUE_URL: 'https://sqs.example/1/deliveries',
  DELIVERIES_DEAD_LETTER_QUEUE_URL: 'https://sqs.example/1/dead',
  SLOW_LANE_QUEUE_URL: 'https://sqs.example/1/slow',
  CONNECT_TIMEOUT_MS: '5000',
  RESPONSE_TIMEOUT_MS: '15000',
  BACKOFF_FIRST_DELAY_MS: '15000',
  BACKOFF_MAX_DELAY_MS: '3600000',
  BACKOFF_WINDOW_MS: '43200000',
  BACKOFF_SLOTS: '50',
  BUSY_AFTER: '20',
  FAILED_AFTER: '20',
  PROBES: '3',
  ATTEMPT_LINES: 'all',
  SERVICE_VERSION: '0.1.0',
  ALLOW_LOOPBACK: 'false',
  SEND_TRACEPARENT: 'false',
};

describe('a function’s environment', () => {
  it('is read as numbers and flags where it holds them', () => {
    expect(parseEnvironment(deliverWebhook, { ...DELIVER, PATH: '/usr/bin' })).toEqual({
      ...DELIVER,
      CONNECT_TIMEOUT_MS: 5_000,
      RESPONSE_TIMEOUT_MS: 15_000,
      DELIVERY_LOG_DEADLINE_MS: 1_500,
      ALLOW_LOOPBACK: false,
      SEND_TRACEPARENT: false,
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

  // The template gives each function the variables that it declares: test/infra/functions.test.ts.
  it('is refused without any one of its variables, and with an empty one', () => {
    for (const missing of Object.keys(DELIVER)) {
      for (const value of [undefined, '']) {
        expect(() => parseEnvironment(deliverWebhook, { ...DELIVER, [missing]: value })).toThrow(
          new RegExp(`\\b${missing}: `),
        );
      }
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
