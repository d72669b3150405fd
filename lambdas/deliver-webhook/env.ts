import * as z from 'zod';
import { flag, positiveInteger, text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  INTEGRATIONS_TABLE: text,
  ATTEMPTS_TABLE: text,
  DELIVERIES_DEAD_LETTER_QUEUE_URL: text,
  CONNECT_TIMEOUT_MS: positiveInteger,
  RESPONSE_TIMEOUT_MS: positiveInteger,
  ATTEMPTS_RETENTION_DAYS: positiveInteger,
  SERVICE_VERSION: text,
  ALLOW_LOOPBACK: flag,
});

export type Environment = z.input<typeof environmentSchema>;
