import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { faultField, type Logger } from './reporting.ts';

/**
 * What becomes of a record. `done`: its effect is durable, the queue may delete it. `keep`: it stays
 * in its queue until its visibility runs out. A time: it stays, and is handed out again then.
 */
export type Disposal = 'done' | 'keep' | Date;

interface VisibilityChange {
  readonly receiptHandle: string;
  /** From now until the queue hands the message out again. */
  readonly delayMs: number;
}

export interface MessageVisibility {
  /** Resolves to the changes that were not made. Never throws. */
  change(
    changes: readonly VisibilityChange[],
  ): Promise<readonly (VisibilityChange & { readonly code: string })[]>;
}

/**
 * Processes the records of a batch side by side and answers which of them stay in the queue. A
 * record whose processing throws stays, and disturbs no other record.
 */
export const processBatch = async (
  batch: SQSEvent,
  logger: Logger,
  process: (record: SQSRecord) => Promise<Disposal>,
  handOutAgain?: HandOutAgain,
): Promise<SQSBatchResponse> => {
  const disposals = await Promise.all(
    batch.Records.map(async (record) => {
      try {
        return [record, await process(record)] as const;
      } catch (fault) {
        logger.error('record.failed', { messageId: record.messageId, ...faultField(fault) });
        return [record, 'keep'] as const;
      }
    }),
  );
  const kept = disposals.filter(([, disposal]) => disposal !== 'done');
  const timed = kept.flatMap(([record, due]) => (due instanceof Date ? [{ record, due }] : []));
  if (timed.length > 0) await handOutAgain?.(timed);
  return { batchItemFailures: kept.map(([{ messageId }]) => ({ itemIdentifier: messageId })) };
};

type HandOutAgain = (timed: readonly { record: SQSRecord; due: Date }[]) => Promise<void>;

/**
 * Has records handed out again when they are due, however long the slowest of their batch has
 * taken. A record whose visibility cannot be changed comes back when its visibility runs out: at
 * another time, and not lost.
 */
export const createHandOutAgain =
  (visibility: MessageVisibility, logger: Logger, now: () => Date): HandOutAgain =>
  async (timed) => {
    const nowMs = now().getTime();
    const changes = timed.map(({ record: { messageId, receiptHandle }, due }) => ({
      messageId,
      receiptHandle,
      delayMs: Math.max(0, due.getTime() - nowMs),
    }));
    for (const { receiptHandle, delayMs, code } of await visibility.change(changes)) {
      const change = changes.find((one) => one.receiptHandle === receiptHandle);
      logger.warn('visibility.not_changed', { messageId: change?.messageId, delayMs, code });
    }
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
