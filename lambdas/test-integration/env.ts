import * as z from 'zod';
import { attemptVariables, text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  ...attemptVariables,
  INTEGRATIONS_TABLE: text,
});

export type Environment = z.input<typeof environmentSchema>;
