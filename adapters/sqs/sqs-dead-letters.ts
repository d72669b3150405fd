import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';

/** Sends messages to a dead-letter queue, with the reason as the attribute `reason`. */
export class SqsDeadLetters implements DeadLetters {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  /**
   * Rejects a message so close to the 1 MiB of SQS that the reason does not fit beside the text.
   * The redrive policy moves such a message to the same queue after its last receive, without a
   * reason.
   */
  async add(text: string, reason: string): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: text,
        MessageAttributes: { reason: { DataType: 'String', StringValue: reason } },
      }),
    );
  }
}
