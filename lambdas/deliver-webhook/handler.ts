import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeliverWebhook } from '../../core/delivery/attempt/deliver-webhook.ts';
import {
  type DeadLetters,
  parseDeliveryMessage,
  type QueuedDelivery,
  UnreadableDelivery,
} from '../../core/delivery/delivery-queue.ts';
import type { IntegrationStore } from '../../core/integration/integration.ts';
import type { Reporting } from '../_runtime/report-attempt.ts';
import { attributesOf, processBatch, readOnce } from '../_runtime/sqs-batch.ts';
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
    const deliver = createDeliver(deps);
    const dueAt = new Map<SQSRecord, Date>();
    const response = await processBatch(batch, deps.logger, async (record) => {
      try {
        const due = await deliver(record);
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

/** For the records of one batch: resolves to when a record comes back, or undefined when it is done. */
const createDeliver = (deps: Deps) => {
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

/** A receive that ended in a crash counts too. */
export const queuedDeliveryOf = (record: SQSRecord): QueuedDelivery => ({
  delivery: parseDeliveryMessage({ body: record.body, attributes: attributesOf(record) }),
  receiveCount: Number(record.attributes.ApproximateReceiveCount),
  firstReceivedAt: new Date(Number(record.attributes.ApproximateFirstReceiveTimestamp)),
});
