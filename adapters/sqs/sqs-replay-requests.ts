import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import {
  type ReplayOptions,
  type ReplayRequests,
  replayMessage,
} from '../../core/delivery/pending/replay-requests.ts';
import { SqsQueue } from './sqs-queue.ts';

/**
 * Writes the replay queue: a FIFO queue with the integration as the message group, so that the
 * requests for one integration are served one at a time.
 */
export class SqsReplayRequests extends SqsQueue implements ReplayRequests {
  readonly #newDeduplicationId: () => string;

  constructor(client: SQSClient, queueUrl: string, options: { newDeduplicationId: () => string }) {
    super(client, queueUrl);
    this.#newDeduplicationId = options.newDeduplicationId;
  }

  /**
   * Each request has its own deduplication id. If SQS took a request for a repetition of a served
   * request, events that became pending in between would not be replayed.
   */
  async request(
    { account, id }: { account: string; id: string },
    options: ReplayOptions = {},
  ): Promise<void> {
    await this.client.send(
      new SendMessageCommand({
        QueueUrl: this.queueUrl,
        MessageBody: replayMessage({ ...options, account, id }),
        MessageGroupId: id,
        MessageDeduplicationId: this.#newDeduplicationId(),
      }),
    );
  }
}
