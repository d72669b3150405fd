import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SeededRun } from '../../../local/seeded-run.ts';
import { awsClientConfigOf } from './platform-of.ts';

/** Sets the visibility timeout of all queues, which is minutes by default. */
export const setVisibility = async (
  { endpoints, outputs }: Pick<SeededRun, 'endpoints' | 'outputs'>,
  seconds: number,
): Promise<void> => {
  const client = new SQSClient(awsClientConfigOf(endpoints));
  for (const queue of ['EventsQueueUrl', 'DeliveriesQueueUrl', 'ReplayQueueUrl', 'RetryQueueUrl']) {
    const Attributes = { VisibilityTimeout: String(seconds) };
    await client.send(new SetQueueAttributesCommand({ QueueUrl: outputs[queue], Attributes }));
  }
};
