import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeliverWebhook } from '../../core/delivery/attempt/deliver-webhook.ts';
import type { WatchAttempt } from '../../core/delivery/attempt/slow-lane.ts';
import type { DeliveryLog } from '../../core/delivery/delivery-log.ts';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';
import { UnreadableMessage } from '../../core/delivery/message-format.ts';
import type { IntegrationReader } from '../../core/integration/integration.ts';
import { createProcessBatch, type Disposal, type QueueDeps } from '../_runtime/sqs-batch.ts';
import { rejectingUnreadable } from '../_runtime/unreadable-messages.ts';
import { createBatchLog } from './batch-log.ts';
import { createBatchReads } from './batch-reads.ts';
import { type BatchReport, createBatchReport, type ReportDeps } from './batch-report.ts';

interface Deps extends QueueDeps, ReportDeps {
  deliverWebhook: DeliverWebhook;
  watchBatch: () => WatchAttempt;
  integrations: Pick<IntegrationReader, 'findAll'>;
  deliveryLog: DeliveryLog;
  deadLetters: DeadLetters;
}

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps);
  return async (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const report = createBatchReport(deps);
    const process = rejectingUnreadable(
      createDeliver(deps, { report, records: batch.Records.length }),
      {
        ...deps,
        Unreadable: UnreadableMessage,
        logEvent: 'delivery.unreadable',
      },
    );
    const response = await processBatch(batch, process);
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
