import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { faultField, type Logger } from './logger.ts';

/** `done`: the record's effect is durable, the queue may delete it. `keep`: the record stays in its queue. */
export type Disposal = 'done' | 'keep';

/**
 * Processes the records of a batch side by side and answers which of them stay in the queue. A
 * record whose processing throws stays, and disturbs no other record.
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

/** The text attributes of a record's message, by name. */
export const attributesOf = ({ messageAttributes }: SQSRecord): Record<string, string> =>
  Object.fromEntries(
    Object.entries(messageAttributes).flatMap(([name, { stringValue }]) =>
      stringValue === undefined ? [] : [[name, stringValue]],
    ),
  );

/**
 * Makes a read happen once for each distinct key, however many records ask side by side. Called
 * for every batch: nothing about an integration is cached across invocations.
 */
export const readOnce = <Key extends readonly string[], Value>(
  read: (...key: Key) => Promise<Value>,
): ((...key: Key) => Promise<Value>) => {
  const reads = new Map<string, Promise<Value>>();
  return (...key) => {
    const name = JSON.stringify(key);
    const started = reads.get(name) ?? read(...key);
    reads.set(name, started);
    return started;
  };
};
