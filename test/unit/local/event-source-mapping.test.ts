import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueues, type Queues } from '../../../local/aws/queues.ts';
import { startEventSourceMapping } from '../../../local/event-sources/event-source-mapping.ts';

const QUEUE = 'work';
const QUEUE_ARN = `arn:aws:sqs:us-east-1:000000000000:${QUEUE}`;

/** Invocations of a function that end when the test says so. */
const functionEndedByHand = () => {
  const invocations: { bodies: string[]; end: () => void }[] = [];
  return {
    bodies: () => invocations.map(({ bodies }) => bodies),
    end: (index: number) => invocations[index]?.end(),
    pool: {
      settings: { concurrency: 4 },
      untilFree: async () => {},
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

  it('hands over at once what comes beside a batch that runs', async () => {
    await send('a');
    await send('b');
    expect(invoked.bodies()).toEqual([['a'], ['b']]);
  });

  it('hands over what came while no sandbox was free as one batch', async () => {
    await send('a');
    const { promise: freed, resolve: free } = Promise.withResolvers<void>();
    invoked.pool.untilFree = () => freed;
    await send('b');
    invoked.end(0);
    await passMs(0);
    await send('c');
    await send('d');
    expect(invoked.bodies()).toEqual([['a'], ['b']]);

    free();
    await passMs(0);

    expect(invoked.bodies()).toEqual([['a'], ['b'], ['c', 'd']]);
  });
});
