import * as z from 'zod';
import { flag, text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  DIRECTORY_TABLE: text,
  INTEGRATIONS_TABLE: text,
  ALLOW_LOOPBACK: flag,
});

export type Environment = z.input<typeof environmentSchema>;
