import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeliverWebhook, FindIntegration } from '../../core/delivery/deliver-webhook.ts';
import type { DeadLetters } from '../../core/events/dead-letters.ts';
import type { IntegrationStore } from '../../core/integrations/integration.ts';
import { readOnce } from '../../core/integrations/read-once.ts';
import type { Logger } from '../_runtime/logger.ts';
import { type Disposal, processBatch } from '../_runtime/sqs-batch.ts';
import { attemptNumberOf, parseDeliveryRecord, UnreadableDelivery } from './delivery-record.ts';
import { logResult } from './log-result.ts';

interface Deps {
  deliverWebhook: DeliverWebhook;
  integrations: IntegrationStore;
  deadLetters: DeadLetters;
  logger: Logger;
}

export const createHandler =
  (deps: Deps) =>
  (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const findIntegration = readOnce((account: string, id: string) =>
      deps.integrations.find(account, id),
    );
    return processBatch(batch, deps.logger, async (record) => {
      try {
        return await attempt(record, findIntegration, deps);
      } catch (fault) {
        if (!(fault instanceof UnreadableDelivery)) throw fault;
        await deps.deadLetters.add(record.body, fault.message);
        deps.logger.warn('delivery.unreadable', {
          messageId: record.messageId,
          reason: fault.message,
        });
        return 'done';
      }
    });
  };

const attempt = async (
  record: SQSRecord,
  findIntegration: FindIntegration,
  { deliverWebhook, logger }: Deps,
): Promise<Disposal> => {
  const delivery = parseDeliveryRecord(record);
  const result = await deliverWebhook(delivery, {
    attemptNumber: attemptNumberOf(record),
    findIntegration,
  });
  logResult(delivery, result, logger);
  const isKept = result.kind === 'attempted' && result.attempt.outcome.class !== 'delivered';
  return isKept ? 'keep' : 'done';
};
