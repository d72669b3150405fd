import type { DeliveryResult } from '../../core/delivery/attempt/deliver-webhook.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { Integration } from '../../core/integration/integration.ts';
import {
  answerFields,
  deliveryFields,
  faultField,
  type Reporting,
  reportAttempt,
  reportSetAside,
  reportTroubleEnd,
} from '../_runtime/reporting.ts';

export type ReportResult = (
  delivery: Delivery,
  result: DeliveryResult,
  /** The integration as the batch read it. */
  integration: Integration | undefined,
) => void;

/**
 * Logs and counts what became of each delivery of a batch. An integration that became busy or
 * failed is logged and counted once a batch, although several of its deliveries have that
 * consequence, and not at all if it had the same kind of trouble when the batch began.
 */
export const createReportResult = (reporting: Reporting): ReportResult => {
  const { logger, metrics } = reporting;
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

  return (delivery, result, integration) => {
    if (result.kind === 'dropped') {
      logger.info('delivery.dropped', { ...deliveryFields(delivery), because: result.because });
      return;
    }
    if (result.logFault !== undefined) {
      logger.warn('delivery_log.not_read', {
        ...deliveryFields(delivery),
        ...faultField(result.logFault),
      });
    }
    if (result.kind === 'moved' || result.kind === 'deferred') {
      logger.info(`delivery.${result.kind}`, deliveryFields(delivery));
      return;
    }
    if (result.made) reportAttempt(result.made, reporting);
    reportTrouble(result, integration);
    if (result.kind === 'set-aside') reportSetAside(result.made, reporting);
    if (result.kind === 'pending') {
      logger.info('delivery.pending', deliveryFields(delivery));
      metrics.count('EventsPending');
    }
    if (result.kind === 'delivered' && result.endedTrouble) {
      reportTroubleEnd(result.made.attempt, reporting);
    }
  };
};
