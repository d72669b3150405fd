import * as z from 'zod';
import { text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({ SERVICE_VERSION: text });

export type Environment = z.input<typeof environmentSchema>;
