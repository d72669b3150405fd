import * as z from 'zod';
import { createLogger } from '../../../runtime/reporting.ts';
import type { ContextDocument } from './context-documents.ts';

export const environmentSchema = z.object({});

export type Environment = z.input<typeof environmentSchema>;

/**
 * The context documents by file name. The bundler writes the documents in, so that this function
 * does not load the schemas of the whole API beside which the terms are defined.
 */
declare const BUNDLED_CONTEXT_DOCUMENTS: Readonly<Record<string, ContextDocument>>;

export const compose = () => ({
  documents: new Map(Object.entries(BUNDLED_CONTEXT_DOCUMENTS)),
  logger: createLogger(),
});
