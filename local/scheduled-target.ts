import type { Queues } from './aws/queues.ts';
import type { AccessGuard } from './iam/access-guard.ts';
import type { Schedule } from './scheduler/schedules.ts';

/**
 * Returns a function that fires a schedule: sends the schedule's input to its queue, or to the
 * schedule's dead-letter queue if there is no such queue, or if the schedule's role may not send.
 */
export const createTarget =
  ({ send }: Pick<Queues, 'send'>, access: () => AccessGuard | undefined) =>
  async ({ definition: { Target } }: Schedule): Promise<void> => {
    const { Input: input = '{}' } = Target;
    const sendAsRole = async (resource: string): Promise<boolean> => {
      const may = access()?.allows(Target.RoleArn, { action: 'sqs:SendMessage', resource });
      return may !== false && send(resource, input);
    };
    const isReached = await sendAsRole(Target.Arn);
    const deadLetterArn = Target.DeadLetterConfig?.Arn;
    if (!isReached && deadLetterArn) await sendAsRole(deadLetterArn);
  };
