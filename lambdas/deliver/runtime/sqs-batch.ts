import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { faultField, type Logger, type Reporting } from '../../runtime/reporting.ts';

/**
 * What becomes of a record. `done`: its effect is durable, the queue may delete the message. A
 * time: the message stays in its queue, and is handed out again at that time.
 */
export type Disposal = 'done' | Date;

interface VisibilityChange {
  readonly receiptHandle: string;
  /** From now until the queue hands the message out again. */
  readonly delayMs: number;
}

interface MessageVisibility {
  /** Resolves to the changes that were not made. Never throws. */
  change(
    changes: readonly VisibilityChange[],
  ): Promise<readonly (VisibilityChange & { readonly code: string })[]>;
}

/** What the functions of queues share. */
export interface QueueDeps extends Reporting {
  /** Of the queue that the records come from. */
  readonly visibility: MessageVisibility;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
}

export type ProcessBatch = (
  batch: SQSEvent,
  process: (record: SQSRecord) => Promise<Disposal>,
) => Promise<SQSBatchResponse>;

/**
 * Returns a function that processes the records of a batch side by side, flushes the metrics, and
 * answers which records stay in the queue. A record whose processing throws stays, is handed out
 * again after a short delay, and does not affect the other records.
 */
export const createProcessBatch =
  (deps: QueueDeps): ProcessBatch =>
  async (batch, process) => {
    const disposals = await Promise.all(
      batch.Records.map(async (record) => ({
        record,
        disposal: await process(record).catch((fault) => reportFault(record, fault, deps)),
      })),
    );
    const kept = disposals.flatMap(({ record, disposal }) =>
      disposal === 'done' ? [] : [{ record, due: disposal }],
    );
    if (kept.length > 0) await handOutAgain(kept, deps);
    deps.metrics.flush();
    return { batchItemFailures: kept.map(({ record }) => ({ itemIdentifier: record.messageId })) };
  };

/** Returns when a record whose processing failed is to be handed out again. */
const reportFault = (
  { messageId, attributes }: SQSRecord,
  fault: unknown,
  { logger, metrics, now, random }: QueueDeps,
): Date => {
  const receiveCount = Number(attributes.ApproximateReceiveCount);
  logger.error('record.failed', { messageId, receiveCount, ...faultField(fault) });
  metrics.count('RecordsFailed');
  if (isStuck(receiveCount)) metrics.count('RecordsStuck');
  return new Date(now().getTime() + faultDelayMs(receiveCount, random()));
};

/**
 * Has records handed out again when they are due, however long the slowest record of their batch
 * has taken. A record whose visibility cannot be changed is not lost: it comes back when its
 * visibility timeout runs out.
 */
const handOutAgain = async (
  kept: readonly { record: SQSRecord; due: Date }[],
  { visibility, logger, now }: QueueDeps,
): Promise<void> => {
  const nowMs = now().getTime();
  const changes = kept.map(({ record: { messageId, receiptHandle }, due }) => ({
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

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60_000;

const RECEIVES_OF_A_PASSING_FAULT = 100;
const DELAY_OF_A_LASTING_FAULT_MS = 1_800_000;

/** A part of each delay, up or down: records that failed together do not come back together. */
const JITTER = 0.2;

/** Whether a record has failed for more than an hour: an operator has to act. */
const isStuck = (receiveCount: number): boolean => receiveCount > RECEIVES_OF_A_PASSING_FAULT;

/**
 * How long a record waits whose processing failed by our fault: seconds after a throttled write,
 * and so long in an outage that a thousand receives take more than the 14 days that SQS keeps a
 * message. `random` is from 0 to 1.
 */
export const faultDelayMs = (receiveCount: number, random: number): number => {
  const delayMs = isStuck(receiveCount)
    ? DELAY_OF_A_LASTING_FAULT_MS
    : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (receiveCount - 1));
  return delayMs * (1 + JITTER * (2 * random - 1));
};

interface Rejection {
  /** What `process` throws for a message that can never be processed. Its text is the reason. */
  readonly Unreadable: new (
    reason: string,
  ) => Error;
  readonly logEvent: string;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
}

/** Adds to `process` that an unreadable message goes to the dead letters at once. */
export const rejectingUnreadable =
  (
    process: (record: SQSRecord) => Promise<Disposal>,
    { Unreadable, logEvent, deadLetters, logger }: Rejection,
  ) =>
  async (record: SQSRecord): Promise<Disposal> => {
    try {
      return await process(record);
    } catch (fault) {
      if (!(fault instanceof Unreadable)) throw fault;
      const { body: text, messageAttributes: attributes } = record;
      await deadLetters.add({ text, attributes }, fault.message);
      logger.warn(logEvent, { messageId: record.messageId, reason: fault.message });
      return 'done';
    }
  };
