import { setTimeout as delay } from 'node:timers/promises';
import type { Queues } from './aws/queues.ts';
import { invokeAsynchronously } from './functions/asynchronous-invocation.ts';
import type { FunctionPool } from './functions/function-pool.ts';
import type { Schedule } from './scheduler/schedules.ts';

export interface ScheduledTargetsOptions {
  queues: Queues;
  poolOf: (functionArn: string) => FunctionPool | undefined;
  hourSeconds: number;
  signal: AbortSignal;
}

/**
 * Returns a function that fires a schedule: invokes the target function or sends to the target
 * queue. As in AWS, the dead-letter queue of a schedule is only for a target that does not exist; a
 * function that fails is a matter of its own retries and failure destination.
 */
export const createTargets =
  (options: ScheduledTargetsOptions) =>
  (schedule: Schedule): void => {
    fire(schedule, options).catch(() => {
      // The pool has reported a function's failure. A wait for a retry is aborted when the run
      // stops.
    });
  };

const fire = async (
  { definition: { Target } }: Schedule,
  { queues, poolOf, hourSeconds, signal }: ScheduledTargetsOptions,
): Promise<void> => {
  const { Input: input = '{}' } = Target;
  const pool = poolOf(Target.Arn);
  if (pool) {
    await invokeAsynchronously(pool, parseInput(input), {
      minuteMs: (hourSeconds * 1_000) / 60,
      wait: (delayMs) => delay(delayMs, undefined, { signal }),
      send: queues.send,
    });
    return;
  }
  const isReached = await queues.send(Target.Arn, input);
  const deadLetterArn = Target.DeadLetterConfig?.Arn;
  if (!isReached && deadLetterArn) await queues.send(deadLetterArn, input);
};

/** Input that is not JSON is given to the function as a string. */
const parseInput = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
};
