import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import {
  type Recovery,
  type ReplayRequests,
  replayMessage,
} from '../../core/delivery/pending/replay-requests.ts';

/**
 * The replay queue: FIFO, with the integration as the message group, so that the requests for one
 * integration are worked on one at a time.
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
   * Each request counts: if SQS took a request for a repetition of an answered request, nobody would
   * replay what became pending in between.
   */
  async request(
    { account, id }: { account: string; id: string },
    recovery?: Recovery,
  ): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: replayMessage({ account, id, recovery }),
        MessageGroupId: id,
        MessageDeduplicationId: this.#newDeduplicationId(),
      }),
    );
  }
}
