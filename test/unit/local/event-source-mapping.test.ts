import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueues, type Queues } from '../../../local/aws/queues.ts';
import { startEventSourceMapping } from '../../../local/event-sources/event-source-mapping.ts';

const QUEUE = 'work';
const QUEUE_ARN = `arn:aws:sqs:us-east-1:000000000000:${QUEUE}`;

/** Invocations of a function that end when the test says so. */
const functionEndedByHand = () => {
  const waits: number[] = [];
  const invocations: { bodies: string[]; end: () => void }[] = [];
  return {
    bodies: () => invocations.map(({ bodies }) => bodies),
    end: (index: number) => invocations[index]?.end(),
    /** How long each wait for a free sandbox was that the pool was told, in milliseconds. */
    waits,
    pool: {
      settings: { concurrency: 4 },
      untilFree: async () => {},
      noteWait: (ms: number) => waits.push(ms),
      invoke: ({ Records }: SQSEvent) =>
        new Promise((resolve) => {
          invocations.push({
            bodies: Records.map(({ body }) => body),
            end: () => resolve({ batchItemFailures: [] }),
          });
        }),
    },
  };
};

describe('an event source mapping', () => {
  let queues: Queues;
  let invoked: ReturnType<typeof functionEndedByHand>;
  let stop: () => Promise<void>;

  beforeEach(() => {
    vi.useFakeTimers();
    queues = createQueues('http://127.0.0.1:1');
    queues.create(QUEUE, {});
    invoked = functionEndedByHand();
    stop = startEventSourceMapping(
      {
        EventSourceArn: QUEUE_ARN,
        FunctionName: 'consumer',
        BatchSize: 3,
        MaximumBatchingWindowInSeconds: 0,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 2 },
      },
      { queues, pool: invoked.pool as never, onProblem: (reason) => expect.unreachable(reason) },
    );
  });

  afterEach(async () => {
    const stopped = stop();
    for (const index of invoked.bodies().keys()) invoked.end(index);
    await stopped;
    queues.stop();
    vi.useRealTimers();
  });

  const send = async (...bodies: string[]): Promise<void> => {
    for (const body of bodies) await queues.send(QUEUE_ARN, body);
    await passMs(0);
  };

  const passMs = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('hands over what came during a short batch as one batch, once the batch has ended', async () => {
    await send('a');
    await send('b');
    await send('c');
    expect(invoked.bodies()).toEqual([['a']]);

    invoked.end(0);
    await passMs(0);

    expect(invoked.bodies()).toEqual([['a'], ['b', 'c']]);
  });

  it('hands over what came during a long batch as one batch, beside the long one', async () => {
    await send('a');
    await passMs(8);
    await send('b');
    await passMs(8);
    await send('c');
    expect(invoked.bodies()).toEqual([['a']]);

    await passMs(8);

    expect(invoked.bodies()).toEqual([['a'], ['b', 'c']]);
  });

  it('does not wait for a batch that has taken long already', async () => {
    await send('a');
    await passMs(1_000);
    await send('b');
    expect(invoked.bodies()).toEqual([['a'], ['b']]);
  });

  it('hands over the next batch at once after a full one', async () => {
    await send('a', 'b', 'c', 'd');
    expect(invoked.bodies()).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('tells the pool how long messages waited for a sandbox', async () => {
    await send('a');
    const { promise: freed, resolve: free } = Promise.withResolvers<void>();
    invoked.pool.untilFree = () => freed;
    await passMs(1_000);
    await send('b');
    invoked.end(0);
    // No message waits yet.
    await passMs(30);
    await send('c');
    await passMs(70);
    free();
    await passMs(0);
    expect(invoked.bodies()).toEqual([['a'], ['b'], ['c']]);
    expect(invoked.waits).toEqual([70]);
  });

  it('tells the pool of no wait for messages that come while a sandbox is free', async () => {
    await send('a');
    invoked.end(0);
    await passMs(1_000);
    await send('b');
    expect(invoked.bodies()).toEqual([['a'], ['b']]);
    expect(invoked.waits).toEqual([]);
  });
});
