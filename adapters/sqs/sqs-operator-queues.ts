import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeadLetterQueue, StoredLetter } from '../../core/delivery/dead-letters.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { stringifyForQueue } from '../../core/event/exact-json.ts';
import { inChunks } from '../../core/in-chunks.ts';
import { SqsMessageVisibility } from './sqs-message-visibility.ts';
import { MAX_ENTRIES, SqsQueue } from './sqs-queue.ts';

/** With long polling SQS asks all of its servers: an empty answer means an empty queue. */
const LONG_POLL_SECONDS = 1;

/** Ten batches side by side. */
const RELEASED_AT_ONCE = 10 * MAX_ENTRIES;

export class SqsDeadLetterQueue extends SqsQueue implements DeadLetterQueue {
  async count(): Promise<number> {
    const { visible, inFlight, delayed } = await readQueueDepth(this.client, this.queueUrl);
    return visible + inFlight + delayed;
  }

  async receive(hiddenSeconds: number): Promise<readonly StoredLetter[]> {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({
        QueueUrl: this.queueUrl,
        MaxNumberOfMessages: MAX_ENTRIES,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['SentTimestamp', 'DeadLetterQueueSourceArn'],
        VisibilityTimeout: hiddenSeconds,
        WaitTimeSeconds: LONG_POLL_SECONDS,
      }),
    );
    return Messages.map(letterIn);
  }

  async release(receipts: readonly string[]): Promise<void> {
    const visibility = new SqsMessageVisibility(this.client, this.queueUrl);
    for (const some of inChunks(receipts, RELEASED_AT_ONCE)) {
      await visibility.change(some.map((receiptHandle) => ({ receiptHandle, delayMs: 0 })));
    }
  }

  async remove(receipts: readonly string[]): Promise<void> {
    const { Failed = [] } = await this.client.send(
      new DeleteMessageBatchCommand({
        QueueUrl: this.queueUrl,
        Entries: receipts.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle })),
      }),
    );
    const [first] = Failed;
    if (first) throw new Error(`SQS kept ${Failed.length} messages: ${first.Code}`);
  }
}

const letterIn = (message: Message): StoredLetter => ({
  id: message.MessageId ?? '',
  text: message.Body ?? '',
  sentAt: new Date(Number(message.Attributes?.SentTimestamp)),
  receipt: message.ReceiptHandle ?? '',
  isMovedBySqs: message.Attributes?.DeadLetterQueueSourceArn !== undefined,
  attributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(
      ([name, { DataType = 'String', StringValue, BinaryValue }]) => [
        name,
        {
          dataType: DataType,
          ...(StringValue !== undefined && { stringValue: StringValue }),
          ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
        },
      ],
    ),
  ),
});

/** About how many messages a queue has, as SQS counts them: some seconds late. */
export interface QueueDepth {
  readonly visible: number;
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
    visible: Number(Attributes.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
    delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
  };
};

/** Writes the events queue, as the platform does: a fair queue, grouped by account. */
export class SqsEventsQueue extends SqsQueue {
  /** Resolves to the message's id once the event is durable. */
  async send(event: PlatformEvent): Promise<string> {
    const { MessageId = '' } = await this.client.send(
      new SendMessageCommand({
        QueueUrl: this.queueUrl,
        MessageBody: stringifyForQueue(event),
        MessageGroupId: event.account,
      }),
    );
    return MessageId;
  }
}
