import { ChangeMessageVisibilityBatchCommand } from '@aws-sdk/client-sqs';
import { failedOf, MAX_ENTRIES, SqsQueue } from './sqs-queue.ts';

export interface VisibilityChange {
  readonly receiptHandle: string;
  readonly delayMs: number;
}

/** A change that was not made. `code`: the code SQS gave, or the name of the error. */
export interface FailedVisibilityChange extends VisibilityChange {
  readonly code: string;
}

/** SQS's limit for a visibility timeout: 12 h. */
const MAX_DELAY_S = 43_200;

export class SqsMessageVisibility extends SqsQueue {
  /** The changes not made. Never throws: such a message is received again after its timeout. */
  async change(changes: readonly VisibilityChange[]): Promise<readonly FailedVisibilityChange[]> {
    const batches = Array.from({ length: Math.ceil(changes.length / MAX_ENTRIES) }, (_, index) =>
      changes.slice(index * MAX_ENTRIES, (index + 1) * MAX_ENTRIES),
    );
    const failed = await Promise.all(
      batches.map((batch) =>
        this.#send(batch).catch((fault: unknown) => {
          const code = fault instanceof Error ? fault.name : 'unknown';
          return batch.map((change) => ({ ...change, code }));
        }),
      ),
    );
    return failed.flat();
  }

  async #send(batch: readonly VisibilityChange[]): Promise<FailedVisibilityChange[]> {
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
