import type { Attempt, OutcomeClass } from '../../../core/delivery/attempt.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryResult } from '../../../core/delivery/sending/deliver-webhook.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import type { AttemptLines } from '../../runtime/environment.ts';
import type { Logger } from '../../runtime/reporting.ts';
import {
  answerFields,
  deliveryFields,
  faultField,
  type Reporting,
  reportAttempt,
  reportSetAside,
  reportTroubleEnd,
} from '../../runtime/reporting.ts';

/** What became of a delivery without an attempt, or beside the attempt's outcome. */
type Fate = 'pending' | 'setAside' | 'moved' | 'dropped';

/** What became of the deliveries of a batch, for one log line. */
class BatchSummary {
  readonly #counts = new Map<OutcomeClass | Fate, number>();
  #slowest: Attempt | undefined;

  add(what: OutcomeClass | Fate): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  addAttempt(attempt: Attempt): void {
    this.add(attempt.outcome.class);
    if (attempt.durationMs > (this.#slowest?.durationMs ?? -1)) this.#slowest = attempt;
  }

  /** Writes nothing of a batch whose every record failed: each such record has its own line. */
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

export interface BatchReport {
  /** Logs and counts what became of a delivery. `integration` is as the batch read it. */
  result(delivery: Delivery, result: DeliveryResult, integration: Integration | undefined): void;
  /** Logs one line about the whole batch. */
  end(): void;
}

/**
 * Reports what became of each delivery of a batch. An integration that became busy or failed is
 * logged and counted once a batch, although several of its deliveries have that consequence, and
 * not at all if it had the same kind of trouble when the batch began.
 *
 * What a failed or slow integration can have thousands of in a second is a line each only with
 * `all` attempt lines. The summary counts it always.
 */
export const createBatchReport = ({ attemptLines, ...reporting }: ReportDeps): BatchReport => {
  const { logger, metrics } = reporting;
  const summary = new BatchSummary();
  const reported = new Set<string>();

  const reportTrouble = (result: DeliveryResult, integration: Integration | undefined): void => {
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
    if (result.became === 'failed') metrics.count('IntegrationsFailed');
  };

  const tell = (
    fate: 'pending' | 'moved' | 'dropped',
    delivery: Delivery,
    fields: Record<string, unknown> = {},
  ): void => {
    summary.add(fate);
    if (attemptLines === 'all') {
      logger.info(`delivery.${fate}`, { ...deliveryFields(delivery), ...fields });
    }
  };

  return {
    result: (delivery, result, integration) => {
      if (result.kind === 'dropped') {
        tell('dropped', delivery, { because: result.because });
        return;
      }
      if (result.logFault !== undefined) {
        logger.warn('delivery_log.not_read', {
          ...deliveryFields(delivery),
          ...faultField(result.logFault),
        });
      }
      if (result.listingFault !== undefined) {
        logger.error('delivery.not_listed', {
          ...deliveryFields(delivery),
          ...faultField(result.listingFault),
        });
        metrics.count('LogWritesFailed');
      }
      if (result.kind === 'moved') {
        tell('moved', delivery);
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
        tell('pending', delivery);
        metrics.count('EventsPending');
      }
      if (result.kind === 'delivered' && result.endedTrouble) {
        reportTroubleEnd(result.made.attempt, reporting);
      }
    },
    end: () => summary.log(logger),
  };
};
