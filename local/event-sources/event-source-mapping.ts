import { z } from 'zod';
import type { QueueMessage, Queues } from '../aws/queues.ts';
import { FunctionFailure } from '../functions/function-failure.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { failedMessageIds } from './batch-responses.ts';
import { sqsEvent } from './sqs-event.ts';

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
  /** Gets what is wrong with the mapping or with the function's responses. */
  onProblem: (reason: string) => void;
}

/** The longest wait of a poll in SQS. */
const LONG_POLL_MS = 20_000;

/**
 * How long after a batch its successor waits for its end, unless the batch was full. An invocation
 * costs as much for one message as for several, and two busy cores do not work off two at once any
 * sooner. A batch that takes longer, as behind a slow endpoint, has others beside it.
 */
const GATHERING_MS = 20;

/**
 * Polls a queue and invokes a function with the messages. Returns a function that ends the polls.
 */
export const startEventSourceMapping = (
  { BatchSize, EventSourceArn, ScalingConfig, MaximumBatchingWindowInSeconds }: MappingProperties,
  options: MappingOptions,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const receive = receiveBatches(options.queues, EventSourceArn, {
    maximum: BatchSize,
    windowMs: MaximumBatchingWindowInSeconds * 1_000,
    signal,
  });
  // One poll at a time: a message would wake every waiting poll, all but one of them for nothing.
  let polled: Promise<unknown> = Promise.resolve();
  let latest: LatestBatch | undefined;
  const nextBatch = (): Promise<QueueMessage[]> => {
    // Messages that wait for a sandbox wait on the queue: there they become one batch.
    const batch = polled.then(async () => {
      const from = Date.now();
      await options.pool.untilFree();
      const to = Date.now();
      if (latest) await gather(latest);
      const messages = await receive();
      const cameAt = Math.min(
        ...messages.map(({ attributes }) => Number(attributes.SentTimestamp)),
      );
      const waitedMs = to - Math.max(from, cameAt);
      if (waitedMs > 0) options.pool.noteWait(waitedMs);
      return messages;
    });
    polled = batch;
    return batch;
  };
  const work = async (): Promise<void> => {
    try {
      while (!signal.aborted) {
        const batch = await nextBatch();
        if (batch.length === 0) continue;
        const processed = processBatch(batch, EventSourceArn, options);
        const isFull = batch.length === BatchSize;
        latest = isFull
          ? undefined
          : { processed, gatherUntilMs: performance.now() + GATHERING_MS };
        await processed;
      }
    } catch (error) {
      options.onProblem(`Its event source mapping ends: ${error}`);
    }
  };
  const { concurrency } = options.pool.settings;
  const workers = Array.from(
    { length: Math.min(ScalingConfig.MaximumConcurrency, concurrency) },
    work,
  );
  return async () => {
    stopping.abort();
    await Promise.all(workers);
  };
};

/**
 * Returns a function that receives a batch, and gathers it for the window from its first message
 * on.
 */
const receiveBatches =
  (
    queues: Queues,
    queueArn: string,
    { maximum, windowMs, signal }: { maximum: number; windowMs: number; signal: AbortSignal },
  ) =>
  async (): Promise<QueueMessage[]> => {
    const batch = await queues.receive(queueArn, { maximum, waitMs: LONG_POLL_MS, signal });
    if (batch.length === 0) return batch;
    const endsAt = performance.now() + windowMs;
    for (;;) {
      const left = maximum - batch.length;
      const waitMs = endsAt - performance.now();
      if (left === 0 || waitMs <= 0 || signal.aborted) return batch;
      batch.push(...(await queues.receive(queueArn, { maximum: left, waitMs, signal })));
    }
  };

interface LatestBatch {
  readonly processed: Promise<void>;
  /** As `performance.now()` tells it. */
  readonly gatherUntilMs: number;
}

/** Resolves when the batch is processed, or at the end of its time. */
const gather = async ({ processed, gatherUntilMs }: LatestBatch): Promise<void> => {
  const waitMs = gatherUntilMs - performance.now();
  if (waitMs <= 0) return;
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const timeout = setTimeout(resolve, waitMs);
  await Promise.race([processed, isOver]);
  clearTimeout(timeout);
};

/**
 * Invokes the function, and deletes the messages that have not failed. SQS hands out the failed
 * messages again: after a failed invocation, all messages.
 */
const processBatch = async (
  batch: readonly QueueMessage[],
  queueArn: string,
  { pool, queues, onProblem }: MappingOptions,
): Promise<void> => {
  try {
    const response = await pool.invoke(sqsEvent(batch, queueArn));
    const { failed, malformed } = failedMessageIds(
      response,
      batch.map(({ MessageId }) => MessageId),
    );
    if (malformed) {
      onProblem('The response does not tell which messages failed: all are kept.');
    }
    for (const { MessageId, ReceiptHandle } of batch) {
      if (!failed.has(MessageId)) queues.delete(queueArn, ReceiptHandle);
    }
  } catch (error) {
    // The pool has reported the failure.
    if (!(error instanceof FunctionFailure)) throw error;
  }
};
