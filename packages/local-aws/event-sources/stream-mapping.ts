import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ChangeStream, StreamedChange } from '../aws/change-stream.ts';
import type { Queues } from '../aws/queues.ts';
import { FunctionFailure } from '../functions/function-instance.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { discardedRecords, eventNameOf, streamEvent } from './stream-event.ts';

const EventNames = z.strictObject({ eventName: z.array(z.enum(['INSERT', 'MODIFY', 'REMOVE'])) });

/** One pattern of event names is emulated. Without a pattern the function gets everything. */
const FilterCriteria = z.strictObject({
  Filters: z.tuple([z.strictObject({ Pattern: z.string() })]),
});

export const StreamMappingProperties = z.strictObject({
  EventSourceArn: z.string().regex(/^arn:[^:]*:dynamodb:.*\/stream\//),
  FunctionName: z.string(),
  StartingPosition: z.literal('TRIM_HORIZON'),
  BatchSize: z.number(),
  MaximumBatchingWindowInSeconds: z.number(),
  TumblingWindowInSeconds: z.number().min(1).optional(),
  /** The emulated shard has one batch at a time. */
  ParallelizationFactor: z.number(),
  FilterCriteria: FilterCriteria.transform(({ Filters: [{ Pattern }] }) =>
    EventNames.parse(JSON.parse(Pattern)),
  ).optional(),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
  BisectBatchOnFunctionError: z.literal(true),
  MaximumRetryAttempts: z.number(),
  DestinationConfig: z.strictObject({
    OnFailure: z.strictObject({ Destination: z.string().regex(/^arn:[^:]*:sqs:/) }),
  }),
});

type StreamMappingProperties = z.infer<typeof StreamMappingProperties>;

export interface StreamMappingOptions {
  stream: ChangeStream;
  queues: Queues;
  pool: FunctionPool;
  /** Called with each problem of the mapping or of the function's responses. */
  onProblem: (reason: string) => void;
}

/** Before the second try of a batch; doubled before each further try. */
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 5_000;

/** Invokes a function with a table's changes, in order; a failed batch again, in halves. */
export const startStreamMapping = (
  mapping: StreamMappingProperties,
  options: StreamMappingOptions,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  options.stream.open();
  const reading = read({ ...options, mapping, signal: stopping.signal }).catch((error) =>
    options.onProblem(`Its event source mapping ends: ${error}`),
  );
  return async () => {
    stopping.abort();
    await reading;
  };
};

interface Reading extends StreamMappingOptions {
  mapping: StreamMappingProperties;
  signal: AbortSignal;
}

const read = async (reading: Reading): Promise<void> => {
  const { mapping, signal, stream } = reading;
  const names: readonly (string | undefined)[] | undefined = mapping.FilterCriteria?.eventName;
  while (!signal.aborted) {
    const changes = await stream.next({
      maximum: mapping.BatchSize,
      windowMs: mapping.MaximumBatchingWindowInSeconds * 1_000,
      signal,
    });
    const wanted = changes.filter((change) => names?.includes(eventNameOf(change)) ?? true);
    await handOver(wanted, reading);
  }
};

/** Resolves when the changes are done or discarded, or when the reading ends. */
const handOver = async (given: readonly StreamedChange[], reading: Reading): Promise<void> => {
  let changes = given;
  for (let tries = 0; changes.length > 0 && !reading.signal.aborted; tries += 1) {
    const done = await invoke(changes, reading);
    if (done > 0) tries = 0;
    changes = changes.slice(done);
    if (changes.length === 0) return;
    if (tries >= reading.mapping.MaximumRetryAttempts) return discard(changes, reading);
    await pause(tries, reading);
    if (done === 0 && changes.length > 1) {
      const middle = Math.ceil(changes.length / 2);
      await handOver(changes.slice(0, middle), reading);
      return handOver(changes.slice(middle), reading);
    }
  }
};

/** Resolves to how many of the changes, from the first on, are done. */
const invoke = async (
  changes: readonly StreamedChange[],
  { mapping, onProblem, pool, stream }: Reading,
): Promise<number> => {
  const event = streamEvent(changes, {
    streamArn: mapping.EventSourceArn,
    keyNames: stream.keyNames,
    ...(mapping.TumblingWindowInSeconds !== undefined && {
      windowMs: mapping.TumblingWindowInSeconds * 1_000,
    }),
  });
  const batch = changes.map(({ sequenceNumber }) => sequenceNumber);
  try {
    const schema = mapping.TumblingWindowInSeconds === undefined ? BatchResponse : WindowResponse;
    const done = recordsDone(schema.safeParse(await pool.invoke(event)).data, batch);
    if (done === undefined) onProblem('The response is not valid: the batch is tried again.');
    return done ?? 0;
  } catch (error) {
    // The pool has reported the failure.
    if (error instanceof FunctionFailure) return 0;
    throw error;
  }
};

const discard = async (
  changes: readonly StreamedChange[],
  { mapping, pool, queues }: Reading,
): Promise<void> => {
  const { arn: functionArn } = pool.settings;
  const message = discardedRecords(changes, { streamArn: mapping.EventSourceArn, functionArn });
  await queues.send(mapping.DestinationConfig.OnFailure.Destination, JSON.stringify(message));
};

const pause = async (tries: number, { signal }: Reading): Promise<void> => {
  const ms = Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS);
  await delay(ms, undefined, { signal }).catch(() => {});
};

const BatchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/** State is not emulated: a function that returns some would not get it back. */
const WindowResponse = BatchResponse.extend({ state: z.strictObject({}) });

/** How many records are done: those before the first reported. Undefined without a response. */
const recordsDone = (
  response: z.infer<typeof BatchResponse> | undefined,
  batch: readonly string[],
): number | undefined => {
  if (response === undefined) return undefined;
  const positions = (response.batchItemFailures ?? []).map(({ itemIdentifier }) =>
    batch.indexOf(itemIdentifier),
  );
  return Math.max(0, Math.min(batch.length, ...positions));
};
