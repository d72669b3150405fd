import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type {
  Recovery,
  RecoveryRequests,
  ReplayRequests,
} from '../../core/delivery/replay-requests.ts';

/**
 * The replay queue: FIFO, so that the requests of one integration, a message group, are worked on
 * one at a time.
 */
export class SqsReplayRequests implements ReplayRequests, RecoveryRequests {
  readonly #client: SQSClient;
  readonly #queueUrl: string;
  readonly #newDeduplicationId: () => string;

  constructor(client: SQSClient, queueUrl: string, options: { newDeduplicationId: () => string }) {
    this.#client = client;
    this.#queueUrl = queueUrl;
    this.#newDeduplicationId = options.newDeduplicationId;
  }

  async request({ account, id }: { account: string; id: string }): Promise<void> {
    await this.#send(id, { account, id });
  }

  async requestRecovery(
    { account, id }: { account: string; id: string },
    { since, until, after }: Recovery,
  ): Promise<void> {
    await this.#send(id, { account, id, recovery: { since, until, after } });
  }

  /**
   * Each request counts: one that SQS took for a repetition of the last five minutes would not see
   * what became pending since that was answered.
   */
  async #send(group: string, message: object): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: JSON.stringify(message),
        MessageGroupId: group,
        MessageDeduplicationId: this.#newDeduplicationId(),
      }),
    );
  }
}
