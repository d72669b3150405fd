import * as z from 'zod';
import {
  attemptVariables,
  metricsVariables,
  positiveInteger,
  retryScheduleVariables,
  text,
} from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  ...attemptVariables,
  ...metricsVariables,
  ...retryScheduleVariables,
  INTEGRATIONS_TABLE: text,
  PENDING_EVENTS_TABLE: text,
  DELIVERIES_QUEUE_URL: text,
  DELIVERIES_DEAD_LETTER_QUEUE_URL: text,
  REPLAY_QUEUE_URL: text,
  BACKOFF_FIRST_DELAY_MS: positiveInteger,
  BACKOFF_MAX_DELAY_MS: positiveInteger,
  BACKOFF_WINDOW_MS: positiveInteger,
  BUSY_AFTER: positiveInteger,
});

export type Environment = z.input<typeof environmentSchema>;
