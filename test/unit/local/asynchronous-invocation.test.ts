import { describe, expect, it } from 'vitest';
import { invokeAsynchronously } from '../../../local/functions/asynchronous-invocation.ts';
import { FunctionFailure } from '../../../local/functions/function-failure.ts';
import type { FunctionPool } from '../../../local/functions/function-pool.ts';

const MINUTE_MS = 60_000;

const setUp = (settings: object, failures: number) => {
  const waitedMs: number[] = [];
  const sent: [queueArn: string, body: unknown][] = [];
  let invocations = 0;
  const pool = {
    settings: { retries: 2, ...settings },
    invoke: async () => {
      invocations += 1;
      if (invocations <= failures) throw new FunctionFailure('Error', 'no');
    },
  } as unknown as FunctionPool;
  const invoke = () =>
    invokeAsynchronously(
      pool,
      { integration: 'i1' },
      {
        minuteMs: MINUTE_MS,
        wait: async (delayMs) => void waitedMs.push(delayMs),
        send: async (queueArn, body) => void sent.push([queueArn, JSON.parse(body)]),
      },
    );
  return { invoke, waitedMs, sent, invocations: () => invocations };
};

describe('an asynchronous invocation', () => {
  it('is tried again after one and after two minutes', async () => {
    const { invoke, invocations, waitedMs, sent } = setUp({ failureDestinationArn: 'failed' }, 2);
    await invoke();
    expect(invocations()).toBe(3);
    expect(waitedMs).toEqual([MINUTE_MS, 2 * MINUTE_MS]);
    expect(sent).toEqual([]);
  });

  it('goes to the failure destination with the reason when it keeps failing', async () => {
    const { invoke, invocations, sent } = setUp({ failureDestinationArn: 'failed', retries: 0 }, 1);
    await invoke();
    expect(invocations()).toBe(1);
    expect(sent).toEqual([
      [
        'failed',
        {
          version: '1.0',
          requestPayload: { integration: 'i1' },
          responsePayload: { errorType: 'Error', errorMessage: 'no' },
        },
      ],
    ]);
  });
});
