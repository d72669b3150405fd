import type { BatchResultErrorEntry, SQSClient } from '@aws-sdk/client-sqs';

/** SQS's limit for a message, and for a batch. */
export const MAX_BYTES = 1_048_576;

/** SQS's limit for a batch. */
export const MAX_ENTRIES = 10;

export abstract class SqsQueue {
  protected readonly client: SQSClient;
  protected readonly queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.client = client;
    this.queueUrl = queueUrl;
  }
}

/** The entries of a batch that SQS did not accept, each with SQS's code. Entries have their index as id. */
export const failedOf = <Entry>(
  batch: readonly Entry[],
  failed: readonly BatchResultErrorEntry[] = [],
): (readonly [Entry, code: string])[] =>
  batch.flatMap((entry, index) => {
    const error = failed.find(({ Id }) => Id === String(index));
    return error ? [[entry, error.Code ?? 'unknown'] as const] : [];
  });

/** The size of a message as SQS counts it: the body, and each attribute's name, type and value. */
export const messageBytes = (
  body: string,
  attributes: Readonly<
    Record<string, { DataType?: string; StringValue?: string; BinaryValue?: Uint8Array }>
  >,
): number =>
  Object.entries(attributes).reduce(
    (bytes, [name, { DataType = '', StringValue = '', BinaryValue }]) =>
      bytes + Buffer.byteLength(name + DataType + StringValue) + (BinaryValue?.byteLength ?? 0),
    Buffer.byteLength(body),
  );
