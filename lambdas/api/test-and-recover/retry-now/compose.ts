import * as z from 'zod';
import { buildRetryNow } from '../../../../core/delivery/attempt/retry-now.ts';
import { buildRetryPending } from '../../../../core/delivery/attempt/retry-pending.ts';
import { buildGetIntegration } from '../../../../core/integration/get-integration.ts';
import { composeAttempting } from '../../../composition/attempting.ts';
import { settlingVariables } from '../../../runtime/environment.ts';
import { createLogger, createMetrics } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object(settlingVariables);

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeAttempting(environment);
  return {
    retryNow: buildRetryNow({ ...ports, retryPending: buildRetryPending(ports) }),
    getIntegration: buildGetIntegration(ports),
    logger: createLogger(),
    metrics: createMetrics(environment.STAGE),
  };
};
