import { buildTroubles, type TroublePorts } from '../trouble/troubles.ts';
import { type AttemptPorts, buildMakeAttempt } from './make-attempt.ts';
import { buildRetryHourly, type RetryHourlyPorts } from './retry-hourly.ts';
import { buildRetryNow } from './retry-now.ts';
import { buildRetryPending, type RetryPendingPorts } from './retry-pending.ts';

type RetryingPorts = AttemptPorts &
  TroublePorts &
  Omit<RetryPendingPorts, 'makeAttempt' | 'troubles'> &
  Omit<RetryHourlyPorts, 'retryPending' | 'troubles'>;

/** Composes what attempts pending events and ends troubles. */
export const buildRetrying = (ports: RetryingPorts) => {
  const makeAttempt = buildMakeAttempt(ports);
  const troubles = buildTroubles(ports);
  const retryPending = buildRetryPending({ ...ports, makeAttempt, troubles });
  const parts = { ...ports, troubles, retryPending };
  return {
    makeAttempt,
    troubles,
    retryHourly: buildRetryHourly(parts),
    retryNow: buildRetryNow(parts),
  };
};
