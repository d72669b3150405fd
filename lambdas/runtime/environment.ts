import * as z from 'zod';

/**
 * Which attempts get a log line of their own: all, or those that were not delivered. Delivered
 * attempts are always in the delivery log.
 */
export const ATTEMPT_LINES = ['all', 'undelivered'] as const;

export type AttemptLines = (typeof ATTEMPT_LINES)[number];

/** A non-empty string: a table name, a queue URL. */
export const text = z.string().min(1);

/** A positive whole number, such as milliseconds or days, from its decimal text. */
export const positiveInteger = z
  .string()
  .regex(/^[1-9]\d*$/, 'must be a positive whole number')
  .transform(Number);

/** `true` or `false`, as a boolean. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Origins with a space between them, as their host names. */
export const hosts = text.transform((origins) =>
  origins.split(' ').map((origin) => new URL(origin).hostname),
);

/** Variables of every function that seals or opens secrets. */
export const secretsVariables = {
  KEY_PAIRS_TABLE: text,
  SECRETS_KEY_ARN: text,
  STAGE: text,
};

/** Variables of every function that seals secrets. */
export const sealingVariables = { ...secretsVariables, KEY_PAIR_DAYS: positiveInteger };

/** Variables of every function that creates or deletes hourly schedules. */
export const retryScheduleVariables = {
  SCHEDULE_GROUP: text,
  SCHEDULE_ROLE_ARN: text,
  RETRY_QUEUE_ARN: text,
  SCHEDULE_DEAD_LETTER_QUEUE_ARN: text,
  RETRY_INTERVAL_MS: positiveInteger,
};

/** Variables of every function that begins or ends an integration's trouble. */
export const troubleVariables = {
  ...retryScheduleVariables,
  INTEGRATIONS_TABLE: text,
  REPLAY_QUEUE_URL: text,
};

/** Variables of every function that writes the delivery log. */
export const deliveryLogVariables = {
  DELIVERY_LOG_TABLE: text,
  DELIVERY_LOG_DEADLINE_MS: positiveInteger,
};

/** Variables of every function that makes attempts and begins or ends an integration's trouble. */
export const settlingVariables = {
  ...deliveryLogVariables,
  ...secretsVariables,
  ...troubleVariables,
  PENDING_EVENTS_TABLE: text,
  CONNECT_TIMEOUT_MS: positiveInteger,
  RESPONSE_TIMEOUT_MS: positiveInteger,
  SERVICE_VERSION: text,
  ALLOW_LOOPBACK: flag,
  SEND_TRACEPARENT: flag,
  FAILED_AFTER: positiveInteger,
  BACKOFF_WINDOW_MS: positiveInteger,
};

/** Variables of every function that works off a queue of deliveries. */
export const deliveringVariables = {
  ...settlingVariables,
  SLOW_LANE_QUEUE_URL: text,
  BACKOFF_FIRST_DELAY_MS: positiveInteger,
  BACKOFF_MAX_DELAY_MS: positiveInteger,
  BUSY_AFTER: positiveInteger,
  BACKOFF_SLOTS: positiveInteger,
  PROBES: positiveInteger,
  ATTEMPT_LINES: z.enum(ATTEMPT_LINES),
};

/** The variables of a group, parsed. */
export type Parsed<Group extends z.ZodRawShape> = z.output<z.ZodObject<Group>>;
