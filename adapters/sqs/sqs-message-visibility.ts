import { ChangeMessageVisibilityBatchCommand } from '@aws-sdk/client-sqs';
import type { MessageVisibility, VisibilityChange } from '../../core/delivery/delivery-queue.ts';
import { inChunks } from '../../core/in-chunks.ts';
import { failedOf, MAX_ENTRIES, SqsQueue } from './sqs-queue.ts';

/**
 * SQS hides a message for at most 12 h from its receipt, which was at most 15 minutes ago: the longest run
 * of a function.
 */
const MAX_DELAY_S = 43_200 - 900;

export class SqsMessageVisibility extends SqsQueue implements MessageVisibility {
  async change<Change extends VisibilityChange>(changes: readonly Change[]) {
    const failed = await Promise.all(
      inChunks(changes, MAX_ENTRIES).map((batch) =>
        this.#send(batch).catch((fault: unknown) => {
          const code = fault instanceof Error ? fault.name : 'unknown';
          return batch.map((change) => ({ ...change, code }));
        }),
      ),
    );
    return failed.flat();
  }

  async #send<Change extends VisibilityChange>(batch: readonly Change[]) {
    const { Failed } = await this.client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: this.queueUrl,
        Entries: batch.map(({ receiptHandle, delayMs }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: visibilitySeconds(delayMs),
        })),
      }),
    );
    return failedOf(batch, Failed).map(([change, code]) => ({ ...change, code }));
  }
}

/** Rounded up, because a message that is received early would be attempted before its time. */
const visibilitySeconds = (delayMs: number): number =>
  Math.min(MAX_DELAY_S, Math.max(0, Math.ceil(delayMs / 1_000)));
