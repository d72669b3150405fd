import * as z from 'zod';
import { integrationChangingVariables } from '../_runtime/environment.ts';

export const environmentSchema = z.object(integrationChangingVariables);

export type Environment = z.input<typeof environmentSchema>;
