import { z } from 'zod';
import type { QueueMessage, Queues } from '../aws/queues.ts';
import { FunctionFailure } from '../functions/function-failure.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { failedMessageIds } from './batch-response.ts';
import { sqsEvent } from './sqs-event.ts';

export const MappingProperties = z.object({
  EventSourceArn: z.string().regex(/^arn:[^:]*:sqs:/, 'is no queue: not emulated'),
  FunctionName: z.string(),
  Enabled: z.boolean().default(true),
  BatchSize: z.coerce.number().default(10),
  MaximumBatchingWindowInSeconds: z.coerce.number().default(0),
  ScalingConfig: z.object({ MaximumConcurrency: z.coerce.number() }).optional(),
  FunctionResponseTypes: z.array(z.string()).default([]),
  // With a filter, what does not match would have to be thrown away.
  FilterCriteria: z.undefined({ error: 'is not emulated' }).optional(),
});

type MappingProperties = z.infer<typeof MappingProperties>;

export interface MappingOptions {
  queues: Queues;
  pool: FunctionPool;
  /** What is wrong with the mapping or the function's answers, for whoever watches the run. */
  onProblem: (reason: string) => void;
}

/** The most SQS gives at once, and the longest it lets a poll wait. */
const RECEIVE_MAXIMUM = 10;
const LONG_POLL_MS = 20_000;

/** Polls a queue and gives a function its messages. Returns how to stop; that ends its polls. */
export const startEventSourceMapping = (
  properties: MappingProperties,
  options: MappingOptions,
): (() => Promise<void>) => {
  if (!properties.Enabled) return async () => {};
  const stopping = new AbortController();
  const concurrency = Math.min(
    properties.ScalingConfig?.MaximumConcurrency ?? Infinity,
    options.pool.settings.concurrency,
  );
  const pollers = Array.from({ length: concurrency }, async () => {
    try {
      while (!stopping.signal.aborted) {
        const batch = await collectBatch(properties, options.queues, stopping.signal);
        if (batch.length > 0) await processBatch(batch, properties, options);
      }
    } catch (error) {
      options.onProblem(`Its event source mapping ends: ${error}`);
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(pollers);
  };
};

const collectBatch = async (
  { EventSourceArn, BatchSize, MaximumBatchingWindowInSeconds }: MappingProperties,
  queues: Queues,
  signal: AbortSignal,
): Promise<QueueMessage[]> => {
  const batch: QueueMessage[] = [];
  let windowEndsAt = Number.POSITIVE_INFINITY;
  while (batch.length < BatchSize && !signal.aborted) {
    const waitMs = Math.min(windowEndsAt - performance.now(), LONG_POLL_MS);
    if (batch.length > 0 && waitMs <= 0) break;
    const maximum = Math.min(BatchSize - batch.length, RECEIVE_MAXIMUM);
    batch.push(...(await queues.receive(EventSourceArn, { maximum, waitMs, signal })));
    // The window opens with the first message.
    if (batch.length > 0 && windowEndsAt === Number.POSITIVE_INFINITY) {
      windowEndsAt = performance.now() + MaximumBatchingWindowInSeconds * 1_000;
    }
  }
  return batch;
};

/** Deletes what is done. What is not, or all after a throw, stays until its visibility ends. */
const processBatch = async (
  batch: readonly QueueMessage[],
  { EventSourceArn, FunctionResponseTypes }: MappingProperties,
  { pool, queues, onProblem }: MappingOptions,
): Promise<void> => {
  try {
    const response = await pool.invoke(sqsEvent(batch, EventSourceArn));
    const { failed, malformed } = FunctionResponseTypes.includes('ReportBatchItemFailures')
      ? failedMessageIds(
          response,
          batch.map(({ MessageId }) => MessageId),
        )
      : { failed: new Set<string>(), malformed: false };
    if (malformed) {
      onProblem('The response does not tell which messages failed: all are kept.');
    }
    for (const { MessageId, ReceiptHandle } of batch) {
      if (!failed.has(MessageId)) queues.delete(EventSourceArn, ReceiptHandle);
    }
  } catch (error) {
    // Reported by the function's pool.
    if (!(error instanceof FunctionFailure)) throw error;
  }
};
