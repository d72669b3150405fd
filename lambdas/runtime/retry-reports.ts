import type { MadeAttempt } from '../../core/delivery/sending/make-attempt.ts';
import { faultField, type Reporting, reportAttempt } from './reporting.ts';

/** Logs and counts pending events that cannot be read, and that no retry or replay takes. */
export const reportUnreadable =
  ({ logger, metrics }: Reporting) =>
  (keys: readonly object[], fault: unknown): void => {
    const fields = { count: keys.length, first: keys[0], ...faultField(fault) };
    logger.error('pending_events.unreadable', fields);
    metrics.count('RecordsStuck', keys.length);
  };

/** Logs and counts the attempts of a retry. */
export const reportRetryAttempts = (
  attempts: readonly { readonly made: MadeAttempt }[],
  reporting: Reporting,
): void => {
  for (const { made } of attempts) reportAttempt(made, reporting);
};
