import * as z from 'zod';
import { metricsVariables, text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  ...metricsVariables,
  INTEGRATIONS_TABLE: text,
  PENDING_EVENTS_TABLE: text,
  DELIVERY_LOG_TABLE: text,
  DELIVERIES_QUEUE_URL: text,
  REPLAY_QUEUE_URL: text,
});

export type Environment = z.input<typeof environmentSchema>;
