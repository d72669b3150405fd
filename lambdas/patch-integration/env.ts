import * as z from 'zod';
import { integrationWritingVariables } from '../_runtime/environment.ts';

export const environmentSchema = z.object(integrationWritingVariables);

export type Environment = z.input<typeof environmentSchema>;
