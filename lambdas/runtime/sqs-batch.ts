import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DeadLetters, MessageVisibility } from '../../core/delivery/delivery-queue.ts';
import { UnreadableMessage } from '../../core/delivery/message-format.ts';
import { faultField, type Reporting } from './reporting.ts';

/**
 * The result of processing a record. `done`: its effect is durable, and SQS may delete the message.
 * A time: the message stays in its queue and becomes visible again at that time.
 */
export type MessageResult = 'done' | Date;

/** The dependencies of every function that consumes a queue. */
export interface QueueDeps extends Reporting {
  readonly visibility: MessageVisibility;
  readonly deadLetters: DeadLetters;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
}

type ProcessBatch = (
  batch: SQSEvent,
  process: (record: SQSRecord) => Promise<MessageResult>,
) => Promise<SQSBatchResponse>;

/** An error for a message that can never be processed. Its text is the reason. */
type UnreadableError = new (reason: string) => Error;

/**
 * Returns a function that processes the records of a batch side by side, flushes the metrics, and
 * answers which records stay in the queue. A record whose processing throws stays, becomes visible
 * again after a short delay, and does not affect the other records. If the error is `Unreadable`, the
 * message goes to the dead-letter queue at once, and `logEvent` is logged.
 */
export const createProcessBatch =
  (
    deps: QueueDeps,
    logEvent: string,
    Unreadable: UnreadableError = UnreadableMessage,
  ): ProcessBatch =>
  async (batch, process) => {
    const resultOf = async (record: SQSRecord): Promise<MessageResult> => {
      try {
        return await process(record);
      } catch (fault) {
        if (!(fault instanceof Unreadable)) throw fault;
        const { body: text, messageAttributes: attributes } = record;
        await deps.deadLetters.add({ text, attributes }, fault.message);
        deps.logger.warn(logEvent, { messageId: record.messageId, reason: fault.message });
        return 'done';
      }
    };
    const results = await Promise.all(
      batch.Records.map(async (record) => ({
        record,
        result: await resultOf(record).catch((fault) => reportFault(record, fault, deps)),
      })),
    );
    const unfinished = results.flatMap(({ record, result }) =>
      result === 'done' ? [] : [{ record, due: result }],
    );
    if (unfinished.length > 0) await makeVisibleAgain(unfinished, deps);
    deps.metrics.flush();
    return {
      batchItemFailures: unfinished.map(({ record }) => ({ itemIdentifier: record.messageId })),
    };
  };

/** Returns when a record whose processing failed is to become visible again. */
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
 * Makes records visible again when they are due, however long the slowest record of their batch
 * has taken. A record whose visibility cannot be changed becomes visible after its visibility
 * timeout.
 */
const makeVisibleAgain = async (
  unfinished: readonly { record: SQSRecord; due: Date }[],
  { visibility, logger, now }: QueueDeps,
): Promise<void> => {
  const nowMs = now().getTime();
  const changes = unfinished.map(({ record: { messageId, receiptHandle }, due }) => ({
    messageId,
    receiptHandle,
    delayMs: Math.max(0, due.getTime() - nowMs),
  }));
  for (const { messageId, delayMs, code } of await visibility.change(changes)) {
    logger.warn('visibility.not_changed', { messageId, delayMs, code });
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

/** A part of each delay, up or down: records that failed together are not retried together. */
const JITTER = 0.2;

/** Whether a record has failed for more than an hour: an operator has to act. */
const isStuck = (receiveCount: number): boolean => receiveCount > RECEIVES_OF_A_PASSING_FAULT;

/**
 * The delay before a record that failed by our fault is retried: seconds after a throttled write. In
 * an outage the delays grow until a thousand receives take more than the 14 days that SQS keeps a
 * message. `random` is from 0 to 1.
 */
export const faultDelayMs = (receiveCount: number, random: number): number => {
  const delayMs = isStuck(receiveCount)
    ? DELAY_OF_A_LASTING_FAULT_MS
    : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (receiveCount - 1));
  return delayMs * (1 + JITTER * (2 * random - 1));
};
