import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeliverWebhook } from '../../core/delivery/deliver-webhook.ts';
import type { DeadLetters } from '../../core/events/dead-letters.ts';
import type { IntegrationStore } from '../../core/integrations/integration.ts';
import { readOnce } from '../../core/integrations/read-once.ts';
import type { Reporting } from '../_runtime/report-attempt.ts';
import { processBatch } from '../_runtime/sqs-batch.ts';
import { queuedDeliveryOf, UnreadableDelivery } from './delivery-record.ts';
import { changeVisibilities, comesBackAt, type MessageVisibility } from './message-visibility.ts';
import { createReportResult } from './report-result.ts';

interface Deps extends Reporting {
  deliverWebhook: DeliverWebhook;
  integrations: IntegrationStore;
  deadLetters: DeadLetters;
  visibility: MessageVisibility;
  now: () => Date;
}

export const createHandler =
  (deps: Deps) =>
  async (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const attempt = createAttempt(deps);
    const dueAt = new Map<SQSRecord, Date>();
    const response = await processBatch(batch, deps.logger, async (record) => {
      try {
        const due = await attempt(record);
        if (due === undefined) return 'done';
        dueAt.set(record, due);
        return 'keep';
      } catch (fault) {
        if (!(fault instanceof UnreadableDelivery)) throw fault;
        await deps.deadLetters.add(record.body, fault.message);
        const { messageId } = record;
        deps.logger.warn('delivery.unreadable', { messageId, reason: fault.message });
        return 'done';
      }
    });
    await changeVisibilities(dueAt, deps);
    deps.metrics.flush();
    return response;
  };

/** For the records of one batch: resolves to when they come back, if they do. */
const createAttempt = (deps: Deps) => {
  const findIntegration = readOnce((account: string, id: string) =>
    deps.integrations.find(account, id),
  );
  const reportResult = createReportResult(deps);
  return async (record: SQSRecord): Promise<Date | undefined> => {
    const queued = queuedDeliveryOf(record);
    const { delivery } = queued;
    const result = await deps.deliverWebhook(queued, findIntegration);
    reportResult(delivery, result, await findIntegration(delivery.account, delivery.integration));
    return comesBackAt(result, deps.now());
  };
};
