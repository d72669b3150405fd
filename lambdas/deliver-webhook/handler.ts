import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeliverWebhook } from '../../core/delivery/attempt/deliver-webhook.ts';
import { type DeadLetters, UnreadableDelivery } from '../../core/delivery/delivery-queue.ts';
import type { IntegrationStore } from '../../core/integration/integration.ts';
import {
  createProcessBatch,
  type Disposal,
  type QueueDeps,
  readOnce,
} from '../_runtime/sqs-batch.ts';
import { rejectingUnreadable } from '../_runtime/unreadable-messages.ts';
import { queuedDeliveryOf } from './queued-delivery.ts';
import { createReportResult } from './report-result.ts';

interface Deps extends QueueDeps {
  deliverWebhook: DeliverWebhook;
  integrations: IntegrationStore;
  deadLetters: DeadLetters;
}

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps);
  return (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const process = rejectingUnreadable(createDeliver(deps), {
      ...deps,
      Unreadable: UnreadableDelivery,
      logEvent: 'delivery.unreadable',
    });
    return processBatch(batch, process);
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
