import * as z from 'zod';
import {
  attemptVariables,
  metricsVariables,
  retryScheduleVariables,
  text,
} from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  ...attemptVariables,
  ...metricsVariables,
  ...retryScheduleVariables,
  INTEGRATIONS_TABLE: text,
  PENDING_EVENTS_TABLE: text,
  REPLAY_QUEUE_URL: text,
});

export type Environment = z.input<typeof environmentSchema>;
