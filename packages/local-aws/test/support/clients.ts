import {
  type Message,
  type MessageSystemAttributeName,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

interface ClientConfig {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** A client of the AWS SDK for an endpoint of the embedded run. */
export const createClient = <Client>(
  Client: new (config: ClientConfig) => Client,
  endpoint: string,
): Client =>
  new Client({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

const ALL_ATTRIBUTES: MessageSystemAttributeName[] = ['All'];

/** Waits for a message when there is none. */
export const receive = async (queueUrl: string | undefined, maximum = 10): Promise<Message[]> => {
  const { Messages = [] } = await createClient(SQSClient, new URL(queueUrl ?? '').origin).send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      WaitTimeSeconds: 20,
      MaxNumberOfMessages: maximum,
      MessageSystemAttributeNames: ALL_ATTRIBUTES,
    }),
  );
  return Messages;
};
