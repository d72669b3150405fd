// A program: delivers a batch of the largest events in a process of its own, whose memory can be
// limited. AWS is at `AWS_ENDPOINT_URL`. Prints what the function answers and the most memory that
// it had, in MiB.
import { compose } from '../../../lambdas/consumers/deliver-webhook/compose.ts';
import { createHandler } from '../../../lambdas/consumers/deliver-webhook/handler.ts';
import { largestBody } from '../event/body-sizes.ts';
import { aDelivery, anEventReference } from '../event/platform-events.ts';
import { aBatch, deliveryRecord } from './queue-functions.ts';

const DELIVERIES = 10;

const aws = process.env.AWS_ENDPOINT_URL;
const handler = createHandler(
  compose({
    STAGE: 'dev',
    ATTEMPT_LINES: 'undelivered',
    KEY_PAIRS_TABLE: 'pairs',
    SECRETS_KEY_ARN: 'arn:aws:kms:eu-central-1:1:key/secrets',
    INTEGRATIONS_TABLE: 'integrations',
    PENDING_EVENTS_TABLE: 'pending',
    DELIVERY_LOG_TABLE: 'log',
    DELIVERY_LOG_DEADLINE_MS: 60_000,
    DELIVERIES_QUEUE_URL: `${aws}/deliveries`,
    DELIVERIES_DEAD_LETTER_QUEUE_URL: `${aws}/dead-letters`,
    SLOW_LANE_QUEUE_URL: `${aws}/slow-lane`,
    REPLAY_QUEUE_URL: `${aws}/replays`,
    SCHEDULE_GROUP: 'schedules',
    SCHEDULE_ROLE_ARN: 'arn:aws:iam::1:role/r',
    SCHEDULE_DEAD_LETTER_QUEUE_ARN: 'arn:aws:sqs:eu-central-1:1:unsent',
    RETRY_QUEUE_ARN: 'arn:aws:sqs:eu-central-1:1:retries',
    RETRY_INTERVAL_MS: 3_600_000,
    CONNECT_TIMEOUT_MS: 60_000,
    RESPONSE_TIMEOUT_MS: 60_000,
    SERVICE_VERSION: '0.0.0',
    ALLOW_LOOPBACK: true,
    SEND_TRACEPARENT: false,
    BACKOFF_FIRST_DELAY_MS: 15_000,
    BACKOFF_MAX_DELAY_MS: 3_600_000,
    BACKOFF_WINDOW_MS: 43_200_000,
    BUSY_AFTER: 20,
    FAILED_AFTER: 20,
    BACKOFF_SLOTS: 50,
    PROBES: 3,
  }),
);

const records = Array.from({ length: DELIVERIES }, (_, index) =>
  deliveryRecord(
    `m${index}`,
    aDelivery({ event: anEventReference(`evt_${index}`), body: largestBody() }),
  ),
);
const response = await handler(aBatch(...records));
const mostMiB = process.resourceUsage().maxRSS / 1_024;
// Standard output has the function's log.
process.stderr.write(JSON.stringify({ response, mostMiB }), () => process.exit());
