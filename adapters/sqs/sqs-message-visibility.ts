import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** SQS is to hand a received message out again `delayMs` from now. */
export interface VisibilityChange {
  readonly receiptHandle: string;
  readonly delayMs: number;
}

/** A change that was not made. `code`: the code SQS gave, or the name of the error. */
export interface FailedVisibilityChange extends VisibilityChange {
  readonly code: string;
}

/** Limits of SQS: ten entries for a batch, and 12 h for a visibility timeout. */
const MAX_ENTRIES = 10;
const MAX_DELAY_S = 43_200;

/** Changes the visibility of received messages. */
export class SqsMessageVisibility {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  /**
   * Resolves to the changes that were not made. Never throws: a message whose change failed comes
   * back at another time, when its present visibility timeout runs out.
   */
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
    const { Failed = [] } = await this.#client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: this.#queueUrl,
        Entries: batch.map(({ receiptHandle, delayMs }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: visibilitySeconds(delayMs),
        })),
      }),
    );
    const codes = new Map(Failed.map(({ Id, Code = 'unknown' }) => [Id, Code]));
    return batch.flatMap((change, index) => {
      const code = codes.get(String(index));
      return code === undefined ? [] : [{ ...change, code }];
    });
  }
}

/** Rounded up, because a message that comes back early would be attempted before its time. */
const visibilitySeconds = (delayMs: number): number =>
  Math.min(MAX_DELAY_S, Math.max(0, Math.ceil(delayMs / 1_000)));
