import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ChangeStream, StreamedChange } from '../aws/change-stream.ts';
import type { Queues } from '../aws/queues.ts';
import { FunctionFailure } from '../functions/function-failure.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import { verdictOf } from './batch-responses.ts';
import { discardedRecords, eventNameOf, streamEvent, type TumblingWindow } from './stream-event.ts';

const EventNames = z.strictObject({ eventName: z.array(z.enum(['INSERT', 'MODIFY', 'REMOVE'])) });

/** What of the filters is emulated: one pattern, of event names. */
const FilterCriteria = z.strictObject({
  Filters: z.tuple([z.strictObject({ Pattern: z.string() })]),
});

export const StreamMappingProperties = z.strictObject({
  EventSourceArn: z.string().regex(/^arn:[^:]*:dynamodb:.*\/stream\//),
  FunctionName: z.string(),
  StartingPosition: z.literal('TRIM_HORIZON'),
  BatchSize: z.number(),
  MaximumBatchingWindowInSeconds: z.number(),
  TumblingWindowInSeconds: z.number().min(1),
  ParallelizationFactor: z.literal(1),
  FilterCriteria: FilterCriteria.transform(({ Filters: [{ Pattern }] }) =>
    EventNames.parse(JSON.parse(Pattern)),
  ),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
  BisectBatchOnFunctionError: z.literal(true),
  MaximumRetryAttempts: z.number(),
  MaximumRecordAgeInSeconds: z.number(),
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

/**
 * Reads a table's stream and invokes a function with its changes, batch by batch in their order. A
 * batch that fails is tried again, in halves, before any later batch. Returns a function that ends
 * the reading.
 */
export const startStreamMapping = (
  mapping: StreamMappingProperties,
  options: StreamMappingOptions,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  options.stream.open();
  const reading = new StreamReading(mapping, options, stopping.signal)
    .run()
    .catch((error) => options.onProblem(`Its event source mapping ends: ${error}`));
  return async () => {
    stopping.abort();
    await reading;
  };
};

class StreamReading {
  readonly #mapping: StreamMappingProperties;
  readonly #options: StreamMappingOptions;
  readonly #signal: AbortSignal;
  /** The window of the latest batch, and the state of the function in the window. */
  #window: TumblingWindow | undefined;
  #state: object = {};

  constructor(
    mapping: StreamMappingProperties,
    options: StreamMappingOptions,
    signal: AbortSignal,
  ) {
    this.#mapping = mapping;
    this.#options = options;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { BatchSize, FilterCriteria, MaximumBatchingWindowInSeconds } = this.#mapping;
    while (!this.#signal.aborted) {
      const changes = await this.#options.stream.next({
        maximum: BatchSize,
        windowMs: MaximumBatchingWindowInSeconds * 1_000,
        signal: this.#signal,
      });
      const wanted = changes.filter((change) =>
        FilterCriteria.eventName.some((name) => name === eventNameOf(change)),
      );
      for (const [startMs, ofWindow] of Map.groupBy(wanted, ({ at }) => this.#windowStart(at))) {
        await this.#enter(startMs);
        await this.#handOver(ofWindow);
      }
    }
  }

  #windowStart(at: number): number {
    const lengthMs = this.#mapping.TumblingWindowInSeconds * 1_000;
    return at - (at % lengthMs);
  }

  /** A window is closed when the next one has a batch: Lambda closes it as soon as it is over. */
  async #enter(startMs: number): Promise<void> {
    if (this.#window?.startMs === startMs) return;
    if (this.#window) await this.#handOver([], { isFinal: true });
    const endMs = startMs + this.#mapping.TumblingWindowInSeconds * 1_000;
    this.#window = { startMs, endMs };
    this.#state = {};
  }

  /** Resolves when the changes are done or discarded, or when the reading ends. */
  async #handOver(given: readonly StreamedChange[], { isFinal = false } = {}): Promise<void> {
    const { MaximumRetryAttempts, MaximumRecordAgeInSeconds } = this.#mapping;
    let changes = given;
    for (let tries = 0; !this.#signal.aborted; tries += 1) {
      const oldest = Date.now() - MaximumRecordAgeInSeconds * 1_000;
      await this.#discard(
        changes.filter(({ at }) => at < oldest),
        'RecordAgeExceeded',
      );
      changes = changes.filter(({ at }) => at >= oldest);
      if (changes.length === 0 && !isFinal) return;
      const done = await this.#invoke(changes, isFinal);
      if (done === 'all') return;
      if (done > 0) tries = 0;
      changes = changes.slice(done);
      if (tries >= MaximumRetryAttempts) return this.#discard(changes, 'RetryAttemptsExhausted');
      await this.#pause(tries);
      if (done === 0 && changes.length > 1) {
        const middle = Math.ceil(changes.length / 2);
        await this.#handOver(changes.slice(0, middle));
        return this.#handOver(changes.slice(middle));
      }
    }
  }

  /** Resolves to how many of the changes, from the first on, are done. */
  async #invoke(changes: readonly StreamedChange[], isFinal: boolean): Promise<number | 'all'> {
    const { pool, stream, onProblem } = this.#options;
    const { EventSourceArn: streamArn } = this.#mapping;
    if (!this.#window) throw new Error('There is no window.');
    const event = {
      ...streamEvent(changes, {
        streamArn,
        keyNames: stream.keyNames,
        window: this.#window,
        state: this.#state,
      }),
      isFinalInvokeForWindow: isFinal,
    };
    try {
      const batch = changes.map(({ sequenceNumber }) => sequenceNumber);
      const verdict = verdictOf(await pool.invoke(event), batch);
      if (verdict === undefined) {
        onProblem('The response has no state: the batch comes again.');
        return 0;
      }
      this.#state = verdict.state;
      return verdict.done === changes.length ? 'all' : verdict.done;
    } catch (error) {
      // The pool has reported the failure.
      if (error instanceof FunctionFailure) return 0;
      throw error;
    }
  }

  async #discard(changes: readonly StreamedChange[], condition: string): Promise<void> {
    if (changes.length === 0) return;
    const { EventSourceArn: streamArn, DestinationConfig } = this.#mapping;
    await this.#options.queues.send(
      DestinationConfig.OnFailure.Destination,
      JSON.stringify(
        discardedRecords(changes, {
          condition,
          streamArn,
          functionArn: this.#options.pool.settings.arn,
        }),
      ),
    );
  }

  async #pause(tries: number): Promise<void> {
    const ms = Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS);
    await delay(ms, undefined, { signal: this.#signal }).catch(() => {});
  }
}
