import * as z from 'zod';
import { metricsVariables, retryingVariables } from '../_runtime/environment.ts';

export const environmentSchema = z.object({ ...metricsVariables, ...retryingVariables });

export type Environment = z.input<typeof environmentSchema>;
