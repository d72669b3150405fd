import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { NoticeRequests } from '../../core/changes/change-log.ts';
import { type NoticeRequest, noticeMessage } from '../../core/changes/notice-request.ts';
import { inChunks } from '../../core/in-chunks.ts';
import { failedOf, MAX_ENTRIES, SqsQueue } from './sqs-queue.ts';

/**
 * A FIFO queue: a request that waits holds up the later ones of its integration, its message group,
 * and no others. SQS drops a repetition within five minutes.
 */
export class SqsNoticeRequests extends SqsQueue implements NoticeRequests {
  /** One batch after the other, in order. */
  async request(notices: readonly NoticeRequest[]): Promise<void> {
    for (const batch of inChunks(notices, MAX_ENTRIES)) await this.#send(batch);
  }

  async #send(batch: readonly NoticeRequest[]): Promise<void> {
    const { Failed } = await this.client.send(
      new SendMessageBatchCommand({
        QueueUrl: this.queueUrl,
        Entries: batch.map((notice, index) => ({
          Id: String(index),
          MessageBody: noticeMessage(notice),
          MessageGroupId: notice.integration,
          MessageDeduplicationId: notice.id,
        })),
      }),
    );
    const [failed] = failedOf(batch, Failed);
    if (failed) throw Object.assign(new Error('SQS refused a notice'), { name: failed[1] });
  }
}
