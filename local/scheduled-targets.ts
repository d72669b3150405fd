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
 * What a schedule does when its time comes. Scheduler's own retries and dead-letter queue are for
 * a target that cannot be reached; what a reached function makes of it is the function's.
 */
export const createTargets =
  (options: ScheduledTargetsOptions) =>
  (schedule: Schedule): void => {
    fire(schedule, options).catch(() => {
      // What a function fails with its pool reports; a retry to come ends with the run.
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

/** Lambda takes JSON; any other text reaches a function as a string. */
const parseInput = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
};
