import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import {
  type ReplayOptions,
  type ReplayRequests,
  replayMessage,
} from '../../core/delivery/pending/replay-requests.ts';
import type { IntegrationKey } from '../../core/integration/integration.ts';
import { SqsQueue } from './sqs-queue.ts';

/** A FIFO queue: the requests of an integration, its message group, are served one at a time. */
export class SqsReplayRequests extends SqsQueue implements ReplayRequests {
  readonly #newDeduplicationId: () => string;

  constructor(client: SQSClient, queueUrl: string, options: { newDeduplicationId: () => string }) {
    super(client, queueUrl);
    this.#newDeduplicationId = options.newDeduplicationId;
  }

  /** SQS must not take a request for a repetition of an earlier one. */
  async request({ account, id }: IntegrationKey, options: ReplayOptions = {}): Promise<void> {
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
