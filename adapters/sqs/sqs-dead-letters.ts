import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';

interface FifoOptions {
  /** Each dead letter is a group of its own, so that none waits for another. */
  readonly newGroupId: () => string;
}

const MAX_BYTES = 1_048_576;
const TYPE = 'String';

/** SQS counts the text, and each attribute's name, type and value. */
const fits = (text: string, reason: string): boolean =>
  Buffer.byteLength(text) + Buffer.byteLength(`reason${TYPE}${reason}`) <= MAX_BYTES;

/** Sends messages to a dead-letter queue, with the reason as the attribute `reason`. */
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

  /** A text so close to the 1 MiB of SQS that the reason does not fit beside it has no reason. */
  async add(text: string, reason: string): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: text,
        MessageAttributes: fits(text, reason)
          ? { reason: { DataType: TYPE, StringValue: reason } }
          : undefined,
        ...(this.#fifo && groupOfItsOwn(this.#fifo.newGroupId())),
      }),
    );
  }
}

const groupOfItsOwn = (id: string) => ({ MessageGroupId: id, MessageDeduplicationId: id });
