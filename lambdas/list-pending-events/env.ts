import * as z from 'zod';
import { text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  INTEGRATIONS_TABLE: text,
  PENDING_EVENTS_TABLE: text,
});

export type Environment = z.input<typeof environmentSchema>;
