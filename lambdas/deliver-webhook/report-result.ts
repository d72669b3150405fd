import type { DeliveryResult } from '../../core/delivery/deliver-webhook.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { Integration } from '../../core/integrations/integration.ts';
import { faultField } from '../_runtime/logger.ts';
import {
  answerFields,
  deliveryFields,
  type Reporting,
  reportAttempt,
  reportRecovery,
} from '../_runtime/report-attempt.ts';

export type ReportResult = (
  delivery: Delivery,
  result: DeliveryResult,
  /** As the batch read it. */
  integration: Integration | undefined,
) => void;

/**
 * Tells what became of each delivery of a batch. That an integration became busy or failed is told
 * by the first of the batch only, and not of one that was already when the batch began: each of
 * its deliveries comes to the same.
 */
export const createReportResult = (reporting: Reporting): ReportResult => {
  const { logger, metrics } = reporting;
  const told = new Set<string>();

  const reportTrouble = (result: DeliveryResult, integration: Integration | undefined): void => {
    if (!('became' in result) || !result.became || !result.made) return;
    const { attempt } = result.made;
    const trouble = `${attempt.integration} ${result.became}`;
    if (told.has(trouble) || integration?.delivery.kind === result.became) return;
    told.add(trouble);
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
    if (result.arrivalFault !== undefined) {
      logger.warn('arrival.not_read', {
        ...deliveryFields(delivery),
        ...faultField(result.arrivalFault),
      });
    }
    if (result.made) reportAttempt(result.made, reporting);
    reportTrouble(result, integration);
    if (result.kind === 'held') {
      logger.info('delivery.held', deliveryFields(delivery));
      metrics.count('EventsPending');
    }
    if (result.kind === 'delivered' && result.recovered) {
      reportRecovery(result.made.attempt, reporting);
    }
  };
};
