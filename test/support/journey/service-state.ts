import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { DynamoDbDeliveryLog } from '../../../adapters/dynamodb/delivery-log/delivery-log.ts';
import { createDelivery } from '../../../core/delivery/route-event.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';
import { PATIENCE_MS } from '../patience.ts';
import { hoursOf } from './hours.ts';
import { awsClientConfig, eventually } from './platform.ts';
import type { SampleEvent } from './platform-of.ts';
import { storedStateOf } from './stored-state.ts';

/** The outputs of the stacks, by which an operator finds the resources of a stage. */
export const outputs = (async () => {
  const { Stacks = [] } = await new CloudFormationClient(awsClientConfig).send(
    new DescribeStacksCommand({}),
  );
  return Object.fromEntries(
    Stacks.flatMap(({ Outputs = [] }) =>
      Outputs.map((output) => [output.OutputKey, output.OutputValue]),
    ),
  ) as Record<string, string>;
})();

const queues = new SQSClient(awsClientConfig);

export const { attemptsOf, countPendingOf, pendingOf, schedulesOf } = storedStateOf(
  inject('service'),
  outputs,
);

export const { endHour, passHoursUntil } = hoursOf(inject('service'), outputs);

/**
 * Waits for the second attempt of a delivery that backs off: by then the effects of the first one are
 * stored. Only attempts that begin later count towards `busy`.
 */
export const firstSettled = (integration: string): Promise<unknown> =>
  eventually(
    () => attemptsOf(integration),
    ({ length }) => length > 1,
  );

/** Resolves when every event that was published before is routed. */
export const eventsRouted = (): Promise<unknown> =>
  eventually(
    async () => {
      const { Attributes = {} } = await queues.send(
        new GetQueueAttributesCommand({
          QueueUrl: (await outputs).EventsQueueUrl,
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      );
      return Object.values(Attributes);
    },
    (counts) => counts.every((count) => count === '0'),
  );

/** The dead letter of the events queue with a text. All letters stay in the queue. */
export const eventsDeadLetter = async (text: string): Promise<Message | undefined> => {
  const { Messages = [] } = await queues.send(
    new ReceiveMessageCommand({
      QueueUrl: (await outputs).EventsDeadLetterQueueUrl,
      MessageAttributeNames: ['All'],
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
      WaitTimeSeconds: 1,
    }),
  );
  return Messages.find(({ Body }) => Body === text);
};

const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig));

/** Writes deliveries to the log only, as if their messages had expired in the queue. */
export const loseDeliveries = async (
  { bareId }: { bareId: string },
  ...events: readonly SampleEvent[]
): Promise<void> => {
  const log = new DynamoDbDeliveryLog(client, (await outputs).DeliveryLogTableName ?? '', {
    deadlineMs: PATIENCE_MS,
    now: () => new Date(),
  });
  const deliveries = events.map((event) => createDelivery(event as PlatformEvent, bareId));
  await log.list(deliveries);
};
