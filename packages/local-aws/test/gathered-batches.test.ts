import type { SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createQueues } from '../aws/queues.ts';
import { startEventSourceMapping } from '../event-sources/event-source-mapping.ts';
import type { FunctionPool } from '../functions/function-pool.ts';

const ARN = 'arn:aws:sqs:us-east-1:000000000000:work';

describe('the batches of a queue', () => {
  const queues = createQueues('http://127.0.0.1:1');
  queues.create('work', {});
  let stop = async () => {};

  afterEach(() => stop());
  afterAll(() => queues.stop());

  /** Starts a mapping of batches of three, to a function that computes until `rest` is called. */
  const start = () => {
    const batches: (readonly string[])[] = [];
    const { promise: quiet, resolve: rest } = Promise.withResolvers<void>();
    const invoke = async (event: unknown) => {
      batches.push((event as SQSEvent).Records.map(({ body }) => body));
      return {};
    };
    const pool = {
      settings: { concurrency: 1 },
      invoke,
      untilFree: async () => {},
      untilQuiet: () => quiet,
    } as unknown as FunctionPool;
    const mapping = {
      EventSourceArn: ARN,
      FunctionName: 'work',
      BatchSize: 3,
      MaximumBatchingWindowInSeconds: 0,
      FunctionResponseTypes: ['ReportBatchItemFailures'] as [string],
      ScalingConfig: { MaximumConcurrency: 2 },
    };
    const stopMapping = startEventSourceMapping(
      mapping as Parameters<typeof startEventSourceMapping>[0],
      { queues, pool, onProblem: () => {} },
    );
    stop = async () => {
      rest();
      await stopMapping();
    };
    return { batches, rest };
  };

  it('gather while a sandbox computes, although another is idle', async () => {
    const { batches, rest } = start();
    for (const body of ['a', 'b']) await queues.send(ARN, body);
    expect(batches).toEqual([]);
    rest();
    await expect.poll(() => batches).toEqual([['a', 'b']]);
  });

  it('do not wait for a sandbox that computes once they are full', async () => {
    for (const body of ['a', 'b', 'c']) await queues.send(ARN, body);
    const { batches } = start();
    await expect.poll(() => batches).toEqual([['a', 'b', 'c']]);
  });
});
