import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { PlatformEvent } from '../../core/event/event.ts';
import { stringifyForQueue } from '../../core/event/exact-json.ts';

/** Writes the events queue, as the platform does: a fair queue, grouped by account. */
export class SqsEventsQueue {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  /** Resolves to the message's id once the event is durable. */
  async send(event: PlatformEvent): Promise<string> {
    const { MessageId = '' } = await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: stringifyForQueue(event),
        MessageGroupId: event.account,
      }),
    );
    return MessageId;
  }
}
