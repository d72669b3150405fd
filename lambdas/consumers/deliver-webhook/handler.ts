import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import {
  parseDeliveryMessage,
  type QueuedDelivery,
} from '../../../core/delivery/delivery-queue.ts';
import { keyOf } from '../../../core/delivery/sending/deliver-webhook.ts';
import type { Deliverer } from '../../../core/delivery/sending/delivering.ts';
import type { DeliveryResult } from '../../../core/delivery/sending/settle-attempt.ts';
import {
  attributesOf,
  createProcessBatch,
  type MessageResult,
  type QueueDeps,
} from '../../runtime/sqs-batch.ts';
import { createBatchReport, type ReportDeps } from './batch-report.ts';

interface Deps extends QueueDeps, ReportDeps {
  startBatch: () => Deliverer;
}

export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps, 'delivery.unreadable');
  return async (batch: SQSEvent): Promise<SQSBatchResponse> => {
    const report = createBatchReport(deps);
    const { deliver, findIntegration } = deps.startBatch();
    const response = await processBatch(batch, async (record) => {
      const queued = queuedDeliveryOf(record);
      const result = await deliver(queued);
      report.result(queued.delivery, result, await findIntegration(keyOf(queued)));
      return resultOf(result, deps);
    });
    report.end();
    return response;
  };
};

const resultOf = (result: DeliveryResult, { now }: Pick<Deps, 'now'>): MessageResult => {
  if (result.kind === 'backing-off') return result.nextAttemptAt;
  return result.kind === 'outdated' ? now() : 'done';
};

/** The delivery in a record. `receiveCount` includes receives that ended in a crash. */
export const queuedDeliveryOf = (record: SQSRecord): QueuedDelivery => ({
  messageId: record.messageId,
  delivery: parseDeliveryMessage({ body: record.body, attributes: attributesOf(record) }),
  receiveCount: Number(record.attributes.ApproximateReceiveCount),
  firstReceivedAt: new Date(Number(record.attributes.ApproximateFirstReceiveTimestamp)),
});
