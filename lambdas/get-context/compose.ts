import * as z from 'zod';
import { createLogger } from '../_runtime/reporting.ts';
import { CONTEXT_DOCUMENTS } from './context-documents.ts';

export const environmentSchema = z.object({});

export type Environment = z.input<typeof environmentSchema>;

export const compose = () => ({ documents: CONTEXT_DOCUMENTS, logger: createLogger() });
