import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { ReplayRequests } from '../../core/delivery/replay-requests.ts';

/**
 * The replay queue: FIFO, so that the requests of one integration, a message group, are worked on
 * one at a time.
 */
export class SqsReplayRequests implements ReplayRequests {
  readonly #client: SQSClient;
  readonly #queueUrl: string;
  readonly #newDeduplicationId: () => string;

  constructor(client: SQSClient, queueUrl: string, options: { newDeduplicationId: () => string }) {
    this.#client = client;
    this.#queueUrl = queueUrl;
    this.#newDeduplicationId = options.newDeduplicationId;
  }

  /**
   * Each request counts: one that SQS took for a repetition of the last five minutes would not see
   * what became pending since that was answered.
   */
  async request({ account, id }: { account: string; id: string }): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: JSON.stringify({ account, id }),
        MessageGroupId: id,
        MessageDeduplicationId: this.#newDeduplicationId(),
      }),
    );
  }
}
