import { AccountPrincipal, ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';

/**
 * Lets accounts and roles, separated by commas, send to a queue. Those of the queue's own account need
 * no more than a policy of their own.
 */
export const admitProducers = (queue: Queue, producers: string | undefined): void => {
  if (producers === undefined) return;
  queue.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AllowProducersToSend',
      principals: producers
        .split(/,\s*/)
        .map((each) =>
          each.startsWith('arn:') ? new ArnPrincipal(each) : new AccountPrincipal(each),
        ),
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
    }),
  );
};
