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

interface FifoOptions {
  /** Each dead letter is a group of its own, so that none waits for another. */
  readonly newGroupId: () => string;
}

/** Limits of SQS for a message. */
const MAX_BYTES = 1_048_576;
const MAX_ATTRIBUTES = 10;

type Attributes = Readonly<Record<string, MessageAttributeValue>>;

/**
 * Sends messages to a dead-letter queue, with their attributes and the attribute `reason`. A redrive
 * sends both on, and no reader minds the reason.
 */
export class SqsDeadLetters implements DeadLetters {
  readonly #client: SQSClient;
  readonly #queueUrl: string;
  readonly #fifo: FifoOptions | undefined;

  /** @param fifo for a FIFO queue */
  constructor(client: SQSClient, queueUrl: string, fifo?: FifoOptions) {
    this.#client = client;
    this.#queueUrl = queueUrl;
    this.#fifo = fifo;
  }

  /**
   * A message so close to the 1 MiB of SQS that the reason does not fit beside it has no reason. Of
   * a message with ten attributes, which none of ours has, the reason takes the place of the last.
   */
  async add({ text, attributes }: DeadLetter, reason: string): Promise<void> {
    const { reason: _, ...kept } = attributesAsSent(attributes);
    const withReason = {
      ...Object.fromEntries(Object.entries(kept).slice(0, MAX_ATTRIBUTES - 1)),
      reason: { DataType: 'String', StringValue: reason },
    };
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: text,
        MessageAttributes: bytesOf(text, withReason) <= MAX_BYTES ? withReason : kept,
        ...(this.#fifo && groupOfItsOwn(this.#fifo.newGroupId())),
      }),
    );
  }
}

/** A letter's attributes as a message has them. */
export const attributesAsSent = (
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

/** As SQS counts: the text, and each attribute's name, type and value. */
const bytesOf = (text: string, attributes: Attributes): number =>
  Object.entries(attributes).reduce(
    (bytes, [name, { DataType, StringValue, BinaryValue }]) =>
      bytes +
      Buffer.byteLength(`${name}${DataType}${StringValue ?? ''}`) +
      (BinaryValue?.byteLength ?? 0),
    Buffer.byteLength(text),
  );

const groupOfItsOwn = (id: string) => ({ MessageGroupId: id, MessageDeduplicationId: id });
