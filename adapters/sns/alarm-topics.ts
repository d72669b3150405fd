import { GetTopicAttributesCommand, type SNSClient } from '@aws-sdk/client-sns';

/** How many subscribers of a topic have confirmed that they want its messages. */
export const readConfirmedSubscriptions = async (
  client: SNSClient,
  topicArn: string,
): Promise<number> => {
  const { Attributes = {} } = await client.send(
    new GetTopicAttributesCommand({ TopicArn: topicArn }),
  );
  return Number(Attributes.SubscriptionsConfirmed ?? 0);
};
