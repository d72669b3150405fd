import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { PlatformEvent } from '../../core/event/event.ts';
import { stringifyForQueue } from '../../core/event/exact-json.ts';
import { SqsQueue } from './sqs-queue.ts';

/** Writes the events queue, as the platform does: a fair queue, grouped by account. */
export class SqsEventsQueue extends SqsQueue {
  /** Resolves to the message's id once the event is durable. */
  async send(event: PlatformEvent): Promise<string> {
    const { MessageId = '' } = await this.client.send(
      new SendMessageCommand({
        QueueUrl: this.queueUrl,
        MessageBody: stringifyForQueue(event),
        MessageGroupId: event.account,
      }),
    );
    return MessageId;
  }
}
