import {
  type MessageAttributeValue,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type {
  DeadLetter,
  DeadLetters,
  MessageAttribute,
} from '../../core/delivery/delivery-queue.ts';
import { MAX_BYTES, messageBytes, SqsQueue } from './sqs-queue.ts';

interface FifoOptions {
  /** Each dead letter has its own group, so that none waits for another. */
  readonly newGroupId: () => string;
}

/** SQS's limit for a message. */
const MAX_ATTRIBUTES = 10;

/** Adds the attribute `reason`, which readers ignore in a message that was moved back. */
export class SqsDeadLetters extends SqsQueue implements DeadLetters {
  readonly #fifo: FifoOptions | undefined;

  /** @param fifo for a FIFO queue */
  constructor(client: SQSClient, queueUrl: string, fifo?: FifoOptions) {
    super(client, queueUrl);
    this.#fifo = fifo;
  }

  /** Without the reason if it does not fit into 1 MiB. It replaces the tenth attribute, if any. */
  async add({ text, attributes }: DeadLetter, reason: string): Promise<void> {
    const { reason: _, ...kept } = attributesAsSent(attributes);
    const withReason = {
      ...Object.fromEntries(Object.entries(kept).slice(0, MAX_ATTRIBUTES - 1)),
      reason: { DataType: 'String', StringValue: reason },
    };
    await this.client.send(
      new SendMessageCommand({
        QueueUrl: this.queueUrl,
        MessageBody: text,
        MessageAttributes: messageBytes(text, withReason) <= MAX_BYTES ? withReason : kept,
        ...(this.#fifo && groupOfItsOwn(this.#fifo.newGroupId())),
      }),
    );
  }
}

/** A letter's attributes as a message has them. */
const attributesAsSent = (
  attributes: DeadLetter['attributes'],
): Record<string, MessageAttributeValue> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, asSent(value)]));

const asSent = ({
  dataType: DataType,
  stringValue,
  binaryValue,
}: MessageAttribute): MessageAttributeValue =>
  binaryValue === undefined
    ? { DataType, StringValue: stringValue }
    : { DataType, BinaryValue: Buffer.from(binaryValue, 'base64') };

const groupOfItsOwn = (id: string) => ({ MessageGroupId: id, MessageDeduplicationId: id });
