import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { faultField, type Logger } from './reporting.ts';

/**
 * What becomes of a record. `done`: its effect is durable, the queue may delete the message.
 * `keep`: the message stays in its queue until its visibility timeout runs out. A time: the message
 * stays, and is handed out again at that time.
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
 * Processes the records of a batch side by side and answers which records stay in the queue. A
 * record whose processing throws stays, and does not affect the other records.
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
 * Has records handed out again when they are due, however long the slowest record of their batch
 * has taken. A record whose visibility cannot be changed is not lost: it comes back when its
 * visibility timeout runs out.
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
      const change = changes.find((candidate) => candidate.receiptHandle === receiptHandle);
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
 * Makes one read for each distinct key, however many records ask for it. Called anew for every
 * batch, so that nothing about an integration is cached across invocations.
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
