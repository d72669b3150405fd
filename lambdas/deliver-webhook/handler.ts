import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeliverWebhook } from '../../core/delivery/attempt/deliver-webhook.ts';
import { type DeadLetters, UnreadableDelivery } from '../../core/delivery/delivery-queue.ts';
import type { IntegrationStore } from '../../core/integration/integration.ts';
import type { Reporting } from '../_runtime/reporting.ts';
import {
  createHandOutAgain,
  type Disposal,
  type MessageVisibility,
  processBatch,
  readOnce,
} from '../_runtime/sqs-batch.ts';
import { queuedDeliveryOf } from './queued-delivery.ts';
import { createReportResult } from './report-result.ts';

interface Deps extends Reporting {
  deliverWebhook: DeliverWebhook;
  integrations: IntegrationStore;
  deadLetters: DeadLetters;
  visibility: MessageVisibility;
  now: () => Date;
}

export const createHandler = (deps: Deps) => {
  const handOutAgain = createHandOutAgain(deps.visibility, deps.logger, deps.now);
  return async (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const deliver = createDeliver(deps);
    const process = (record: SQSRecord): Promise<Disposal> =>
      deliver(record).catch((fault) => rejectUnreadable(record, fault, deps));
    const response = await processBatch(batch, deps.logger, process, handOutAgain);
    deps.metrics.flush();
    return response;
  };
};

/** Returns a function that delivers the records of one batch. */
const createDeliver = (deps: Deps) => {
  const findIntegration = readOnce((account: string, id: string) =>
    deps.integrations.find(account, id),
  );
  const reportResult = createReportResult(deps);
  return async (record: SQSRecord): Promise<Disposal> => {
    const queued = queuedDeliveryOf(record);
    const { delivery } = queued;
    const result = await deps.deliverWebhook(queued, findIntegration);
    reportResult(delivery, result, await findIntegration(delivery.account, delivery.integration));
    if (result.kind === 'backing-off') return result.nextAttemptAt;
    return result.kind === 'outdated' ? deps.now() : 'done';
  };
};

/** Sends an unreadable message to the dead letters at once. Rethrows any other fault. */
const rejectUnreadable = async (
  { body, messageId }: SQSRecord,
  fault: unknown,
  { deadLetters, logger }: Deps,
): Promise<Disposal> => {
  if (!(fault instanceof UnreadableDelivery)) throw fault;
  await deadLetters.add(body, fault.message);
  logger.warn('delivery.unreadable', { messageId, reason: fault.message });
  return 'done';
};
