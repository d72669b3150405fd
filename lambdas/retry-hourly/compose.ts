import * as z from 'zod';
import { buildRetryHourly } from '../../core/delivery/attempt/retry-hourly.ts';
import { buildRetryOldest } from '../../core/delivery/attempt/retry-oldest.ts';
import { composeAttempting } from '../_composition/attempting.ts';
import { settlingVariables } from '../_runtime/environment.ts';
import { createLogger, createMetrics } from '../_runtime/reporting.ts';

export const environmentSchema = z.object(settlingVariables);

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeAttempting(environment);
  return {
    retryHourly: buildRetryHourly({ ...ports, retryOldest: buildRetryOldest(ports) }),
    logger: createLogger(),
    metrics: createMetrics(environment.STAGE),
  };
};
