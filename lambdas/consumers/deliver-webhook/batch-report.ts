import type { Attempt, OutcomeClass } from '../../../core/delivery/attempt.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryResult } from '../../../core/delivery/sending/settle-attempt.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import type { AttemptLines } from '../../runtime/environment.ts';
import {
  answerFields,
  deliveryFields,
  faultField,
  type Logger,
  type Reporting,
  reportAttempt,
  reportSetAside,
  reportTroubleEnd,
} from '../../runtime/reporting.ts';

/** The result of a delivery without an attempt, or in addition to the attempt's outcome. */
type Unattempted = 'pending' | 'setAside' | 'moved' | 'dropped';

/** The results of the deliveries of a batch, for one log line. */
class BatchSummary {
  readonly #counts = new Map<OutcomeClass | Unattempted, number>();
  #slowest: Attempt | undefined;

  add(result: OutcomeClass | Unattempted): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }

  addAttempt(attempt: Attempt): void {
    this.add(attempt.outcome.class);
    if (attempt.durationMs > (this.#slowest?.durationMs ?? -1)) this.#slowest = attempt;
  }

  /** Writes nothing if every record failed: each such record has its own line. */
  log(logger: Logger): void {
    if (this.#counts.size === 0) return;
    logger.info('deliveries.attempted', {
      ...Object.fromEntries(this.#counts),
      ...(this.#slowest && {
        slowestMs: this.#slowest.durationMs,
        slowestIntegration: this.#slowest.integration,
      }),
    });
  }
}

export interface ReportDeps extends Reporting {
  readonly attemptLines: AttemptLines;
}

interface BatchReport {
  /** Logs and counts the result of a delivery. `integration` is as the batch read it. */
  result(delivery: Delivery, result: DeliveryResult, integration: Integration | undefined): void;
  /** Logs one line about the whole batch. */
  end(): void;
}

/**
 * Reports the result of each delivery of a batch. An integration that became busy or failed is logged
 * once in a batch, and not if it had the same kind of trouble when the batch began.
 *
 * Pending, moved and dropped deliveries get lines only with `all` attempt lines, because an
 * integration can have thousands of them in a second. The summary always counts them.
 */
export const createBatchReport = ({ attemptLines, ...reporting }: ReportDeps): BatchReport => {
  const { logger, metrics } = reporting;
  const summary = new BatchSummary();
  const reportTrouble = createReportTrouble(logger);

  const reportUnattempted = (
    kind: 'pending' | 'moved' | 'dropped',
    delivery: Delivery,
    fields: Record<string, unknown> = {},
  ): void => {
    summary.add(kind);
    if (attemptLines === 'all') {
      logger.info(`delivery.${kind}`, { ...deliveryFields(delivery), ...fields });
    }
  };

  return {
    result: (delivery, result, integration) => {
      if (result.kind === 'dropped') {
        reportUnattempted('dropped', delivery, { because: result.because });
        return;
      }
      reportLogFaults(delivery, result, reporting);
      if (result.kind === 'moved') {
        reportUnattempted('moved', delivery);
        return;
      }
      if (result.made) {
        summary.addAttempt(result.made.attempt);
        reportAttempt(result.made, reporting, attemptLines);
      }
      reportTrouble(result, integration);
      if (result.kind === 'set-aside') {
        summary.add('setAside');
        reportSetAside(result.made, reporting);
      }
      if (result.kind === 'pending') {
        reportUnattempted('pending', delivery);
        metrics.count('EventsPending');
      }
      if (result.kind === 'delivered' && result.endedTrouble) {
        reportTroubleEnd(result.made.attempt, reporting);
      }
    },
    end: () => summary.log(logger),
  };
};

/** Reports each trouble once. */
const createReportTrouble = (logger: Logger) => {
  const reported = new Set<string>();
  return (result: DeliveryResult, integration: Integration | undefined): void => {
    if (!('became' in result) || !result.became || !result.made) return;
    const { attempt } = result.made;
    const trouble = `${attempt.integration} ${result.became}`;
    if (reported.has(trouble) || integration?.trouble?.kind === result.became) return;
    reported.add(trouble);
    logger.warn(`integration.${result.became}`, {
      account: attempt.account,
      integration: attempt.integration,
      ...answerFields(attempt),
    });
  };
};

const reportLogFaults = (
  delivery: Delivery,
  result: Exclude<DeliveryResult, { kind: 'dropped' }>,
  { logger, metrics }: Reporting,
): void => {
  if (result.logFault !== undefined) {
    logger.warn('delivery_log.not_read', faultFields(delivery, result.logFault));
  }
  if (result.listingFault !== undefined) {
    logger.error('delivery.not_listed', faultFields(delivery, result.listingFault));
    metrics.count('LogWritesFailed');
  }
};

const faultFields = (delivery: Delivery, fault: unknown) => ({
  ...deliveryFields(delivery),
  ...faultField(fault),
});
