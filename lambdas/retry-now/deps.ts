import type { z } from 'zod';
import { createAttemptOldest } from '../../core/delivery/attempt-oldest.ts';
import { createRetryNow } from '../../core/delivery/retry-now.ts';
import { createGetIntegration } from '../../core/integrations/get-integration.ts';
import { composeRetrying } from '../_composition/retrying.ts';
import { createLogger } from '../_runtime/logger.ts';
import { createMetrics } from '../_runtime/metrics.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeRetrying(environment);
  return {
    retryNow: createRetryNow({ ...ports, attemptOldest: createAttemptOldest(ports) }),
    getIntegration: createGetIntegration(ports),
    logger: createLogger(),
    metrics: createMetrics(environment.STAGE),
  };
};
