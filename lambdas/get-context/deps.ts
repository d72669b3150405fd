import type { z } from 'zod';
import { CONTEXT_DOCUMENTS } from '../../core/contexts/context-documents.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (_environment: z.output<typeof environmentSchema>) => ({
  documents: CONTEXT_DOCUMENTS,
  logger: createLogger(),
});
