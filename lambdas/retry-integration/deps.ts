import type { z } from 'zod';
import { createRetryIntegration } from '../../core/delivery/retry-integration.ts';
import { composeRetrying } from '../_composition/retrying.ts';
import { createLogger } from '../_runtime/logger.ts';
import { createMetrics } from '../_runtime/metrics.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => ({
  retryIntegration: createRetryIntegration(composeRetrying(environment)),
  logger: createLogger(),
  metrics: createMetrics(environment.STAGE),
});
