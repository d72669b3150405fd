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
import { type BatchReport, createBatchReport, type ReportDeps } from './batch-report.ts';
import { queuedDeliveryOf } from './queued-delivery.ts';

interface Deps extends QueueDeps, ReportDeps {
  deliverWebhook: DeliverWebhook;
  integrations: IntegrationStore;
  deadLetters: DeadLetters;
}

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps);
  return async (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const report = createBatchReport(deps);
    const process = rejectingUnreadable(createDeliver(deps, report), {
      ...deps,
      Unreadable: UnreadableDelivery,
      logEvent: 'delivery.unreadable',
    });
    const response = await processBatch(batch, process);
    report.end();
    return response;
  };
};

/** Returns a function that delivers the records of one batch. */
const createDeliver = (deps: Deps, report: BatchReport) => {
  const findIntegration = readOnce((account: string, id: string) =>
    deps.integrations.find(account, id),
  );
  return async (record: SQSRecord): Promise<Disposal> => {
    const queued = queuedDeliveryOf(record);
    const { delivery } = queued;
    const result = await deps.deliverWebhook(queued, findIntegration);
    report.result(delivery, result, await findIntegration(delivery.account, delivery.integration));
    if (result.kind === 'backing-off') return result.nextAttemptAt;
    return result.kind === 'outdated' ? deps.now() : 'done';
  };
};
