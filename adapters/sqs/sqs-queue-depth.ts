import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** About how many messages a queue has, as SQS counts them: some seconds late. */
export interface QueueDepth {
  readonly waiting: number;
  /** Received, and neither done nor due. */
  readonly inFlight: number;
  /** Sent with a delay that is not over. */
  readonly delayed: number;
}

export const readQueueDepth = async (client: SQSClient, queueUrl: string): Promise<QueueDepth> => {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return {
    waiting: Number(Attributes.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
    delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
  };
};
