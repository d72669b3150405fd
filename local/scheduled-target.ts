import type { Queues } from './aws/queues.ts';
import type { Schedule } from './scheduler/schedules.ts';

/**
 * Returns a function that fires a schedule: sends the schedule's input to its queue, or to the
 * schedule's dead-letter queue if there is no such queue.
 */
export const createTarget =
  ({ send }: Pick<Queues, 'send'>) =>
  async ({ definition: { Target } }: Schedule): Promise<void> => {
    const { Input: input = '{}' } = Target;
    const isReached = await send(Target.Arn, input);
    const deadLetterArn = Target.DeadLetterConfig?.Arn;
    if (!isReached && deadLetterArn) await send(deadLetterArn, input);
  };
