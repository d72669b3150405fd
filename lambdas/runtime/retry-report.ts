import type { RetryAttempt } from '../../core/delivery/sending/retry-pending.ts';
import { type Reporting, reportAttempt, reportSetAside } from './reporting.ts';

/** Logs and counts the attempts of a retry. */
export const reportRetryAttempts = (
  attempts: readonly RetryAttempt[],
  reporting: Reporting,
): void => {
  for (const { made, wasSetAside } of attempts) {
    reportAttempt(made, reporting);
    if (wasSetAside) reportSetAside(made, reporting);
  }
};
