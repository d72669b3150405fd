import * as z from 'zod';
import { text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  INTEGRATIONS_TABLE: text,
  DELIVERY_LOG_TABLE: text,
  DELIVERIES_QUEUE_URL: text,
});

export type Environment = z.input<typeof environmentSchema>;
