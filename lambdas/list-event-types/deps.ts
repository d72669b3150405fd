import type { z } from 'zod';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (_environment: z.output<typeof environmentSchema>) => ({
  logger: createLogger(),
});
