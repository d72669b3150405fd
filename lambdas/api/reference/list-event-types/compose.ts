import * as z from 'zod';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({});

export type Environment = z.input<typeof environmentSchema>;

export const compose = () => ({ logger: createLogger() });
