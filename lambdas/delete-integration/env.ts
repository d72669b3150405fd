import * as z from 'zod';
import { retryScheduleVariables, text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  ...retryScheduleVariables,
  INTEGRATIONS_TABLE: text,
  REPLAY_QUEUE_URL: text,
});

export type Environment = z.input<typeof environmentSchema>;
