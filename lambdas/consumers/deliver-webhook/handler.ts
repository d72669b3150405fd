import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeliveryLog } from '../../../core/delivery/delivery-log.ts';
import {
  parseDeliveryMessage,
  type QueuedDelivery,
} from '../../../core/delivery/delivery-queue.ts';
import type { WatchAttempt } from '../../../core/delivery/lanes.ts';
import type { DeliverWebhook } from '../../../core/delivery/sending/deliver-webhook.ts';
import type { IntegrationReader } from '../../../core/integration/integration.ts';
import {
  attributesOf,
  createProcessBatch,
  type Disposal,
  type QueueDeps,
} from '../runtime/sqs-batch.ts';
import { createBatchLog } from './batch-log.ts';
import { createBatchReads } from './batch-reads.ts';
import { type BatchReport, createBatchReport, type ReportDeps } from './batch-report.ts';

interface Deps extends QueueDeps, ReportDeps {
  deliverWebhook: DeliverWebhook;
  watchBatch: () => WatchAttempt;
  integrations: Pick<IntegrationReader, 'findAll'>;
  deliveryLog: DeliveryLog;
}

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps, 'delivery.unreadable');
  return async (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const report = createBatchReport(deps);
    const deliver = createDeliver(deps, { report, records: batch.Records.length });
    const response = await processBatch(batch, deliver);
    report.end();
    return response;
  };
};

/** Returns a function that delivers the records of one batch. */
const createDeliver = (
  deps: Deps,
  { report, records }: { report: BatchReport; records: number },
) => {
  const reads = createBatchReads(deps);
  const watchAttempt = deps.watchBatch();
  const batchLog = createBatchLog(deps.deliveryLog, { records });
  return (record: SQSRecord): Promise<Disposal> =>
    batchLog.ofRecord(async (writeLog) => {
      const queued = queuedDeliveryOf(record);
      const { delivery } = queued;
      const batch = { ...reads, watchAttempt, writeLog, listInLog: batchLog.list };
      const result = await deps.deliverWebhook(queued, batch);
      const { account, integration } = delivery;
      report.result(delivery, result, await reads.findIntegration(account, integration));
      if (result.kind === 'backing-off') return result.nextAttemptAt;
      return result.kind === 'outdated' ? deps.now() : 'done';
    });
};

/** The delivery in a record. `receiveCount` includes receives that ended in a crash. */
export const queuedDeliveryOf = (record: SQSRecord): QueuedDelivery => ({
  messageId: record.messageId,
  delivery: parseDeliveryMessage({ body: record.body, attributes: attributesOf(record) }),
  receiveCount: Number(record.attributes.ApproximateReceiveCount),
  firstReceivedAt: new Date(Number(record.attributes.ApproximateFirstReceiveTimestamp)),
});
