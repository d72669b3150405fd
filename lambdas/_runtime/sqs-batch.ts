import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { faultField, type Logger } from './logger.ts';

/** `done`: its effect is durable, the queue may delete it. `keep`: it stays in its queue. */
export type Disposal = 'done' | 'keep';

/**
 * Processes the records of a batch side by side and answers which of them stay in the queue. One
 * that throws stays, and disturbs no other.
 */
export const processBatch = async (
  batch: SQSEvent,
  logger: Logger,
  process: (record: SQSRecord) => Promise<Disposal>,
): Promise<SQSBatchResponse> => {
  const disposals = await Promise.all(
    batch.Records.map(async (record) => {
      try {
        return await process(record);
      } catch (fault) {
        logger.error('record.failed', { messageId: record.messageId, ...faultField(fault) });
        return 'keep';
      }
    }),
  );
  const kept = batch.Records.filter((_record, index) => disposals[index] === 'keep');
  return { batchItemFailures: kept.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};
