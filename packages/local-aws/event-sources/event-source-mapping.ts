import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { z } from 'zod';
import { REGION } from '../arn.ts';
import type { QueueMessage, Queues } from '../aws/queues.ts';
import { FunctionFailure } from '../functions/function-instance.ts';
import type { FunctionPool } from '../functions/function-pool.ts';

export const MappingProperties = z.strictObject({
  EventSourceArn: z.string().regex(/^arn:[^:]*:sqs:/, 'what is no queue'),
  FunctionName: z.string(),
  BatchSize: z.number(),
  MaximumBatchingWindowInSeconds: z.number().default(0),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.number() }),
});

type MappingProperties = z.infer<typeof MappingProperties>;

export interface MappingOptions {
  queues: Queues;
  pool: FunctionPool;
  /** Called with each problem of the mapping or of the function's responses. */
  onProblem: (reason: string) => void;
}

/** The longest wait of a poll in SQS. */
const LONG_POLL_MS = 20_000;

/** Polls a queue and invokes a function with the messages. Returns a function that ends it. */
export const startEventSourceMapping = (
  mapping: MappingProperties,
  options: MappingOptions,
): (() => Promise<void>) => {
  const { pool, queues, onProblem } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  // One poll at a time: a message would wake every waiting poll, and only one gets the message.
  let polled: Promise<unknown> = Promise.resolve();
  const isBatchWaiting = () => queues.waiting(mapping.EventSourceArn) >= mapping.BatchSize;
  const nextBatch = (): Promise<QueueMessage[]> => {
    // Messages that wait for a sandbox wait on the queue: there they become one batch. Unless they are
    // one already, they wait for one that computes, although others are idle: few sandboxes, whose code
    // is compiled, need less of the processor than many.
    const batch = polled
      .then(() => (isBatchWaiting() ? undefined : pool.untilQuiet()))
      .then(() => pool.untilFree())
      .then(() => receiveBatch(mapping, { queues, signal }));
    polled = batch;
    return batch;
  };
  const work = async (): Promise<void> => {
    try {
      while (!signal.aborted) await processBatch(await nextBatch(), mapping, options);
    } catch (error) {
      onProblem(`Its event source mapping ends: ${error}`);
    }
  };
  const concurrency = Math.min(mapping.ScalingConfig.MaximumConcurrency, pool.settings.concurrency);
  const workers = Array.from({ length: concurrency }, work);
  return async () => {
    stopping.abort();
    await Promise.all(workers);
  };
};

/** Receives a batch, and gathers it for the window from its first message on. */
const receiveBatch = async (
  { EventSourceArn, BatchSize, MaximumBatchingWindowInSeconds }: MappingProperties,
  { queues, signal }: { queues: Queues; signal: AbortSignal },
): Promise<QueueMessage[]> => {
  const receive = (maximum: number, waitMs: number) =>
    queues.receive(EventSourceArn, { maximum, waitMs, signal });
  const batch = await receive(BatchSize, LONG_POLL_MS);
  const endsAt = performance.now() + MaximumBatchingWindowInSeconds * 1_000;
  while (batch.length > 0 && batch.length < BatchSize && !signal.aborted) {
    const waitMs = endsAt - performance.now();
    if (waitMs <= 0) break;
    batch.push(...(await receive(BatchSize - batch.length, waitMs)));
  }
  return batch;
};

/** Invokes the function and deletes the messages that have not failed. */
const processBatch = async (
  batch: readonly QueueMessage[],
  { EventSourceArn }: MappingProperties,
  { pool, queues, onProblem }: MappingOptions,
): Promise<void> => {
  if (batch.length === 0) return;
  try {
    const response = await pool.invoke(sqsEvent(batch, EventSourceArn));
    const { failed, malformed } = failedMessageIds(
      response,
      batch.map(({ MessageId }) => MessageId),
    );
    if (malformed) {
      onProblem('The response does not tell which messages failed: all are kept.');
    }
    for (const { MessageId, ReceiptHandle } of batch) {
      if (!failed.has(MessageId)) queues.delete(EventSourceArn, ReceiptHandle);
    }
  } catch (error) {
    // The pool has reported the failure.
    if (!(error instanceof FunctionFailure)) throw error;
  }
};

const BatchResponse = z
  .object({
    batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
  })
  .nullish();

/** The ids that a function reports; all, if the response is malformed, as in Lambda. */
const failedMessageIds = (
  response: unknown,
  batch: readonly string[],
): { failed: ReadonlySet<string>; malformed: boolean } => {
  const parsed = BatchResponse.safeParse(response);
  const reported = parsed.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier);
  const malformed = !parsed.success || (reported ?? []).some((id) => !batch.includes(id));
  return { failed: new Set(malformed ? batch : reported), malformed };
};

/** The event with which Lambda invokes a function for a batch of messages. */
export const sqsEvent = (messages: readonly QueueMessage[], queueArn: string): SQSEvent => ({
  Records: messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.attributes as unknown as SQSRecord['attributes'],
    messageAttributes: messageAttributes(message),
    md5OfBody: message.MD5OfBody,
    ...(message.MD5OfMessageAttributes && {
      md5OfMessageAttributes: message.MD5OfMessageAttributes,
    }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  })),
});

const messageAttributes = ({ MessageAttributes = {} }: QueueMessage) =>
  Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
        stringListValues: [],
        binaryListValues: [],
        dataType: DataType,
      },
    ]),
  );
