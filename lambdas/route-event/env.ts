import * as z from 'zod';
import { deliveryLogVariables, text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  ...deliveryLogVariables,
  INTEGRATIONS_TABLE: text,
  DELIVERIES_QUEUE_URL: text,
  EVENTS_DEAD_LETTER_QUEUE_URL: text,
});

export type Environment = z.input<typeof environmentSchema>;
