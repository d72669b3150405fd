import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { type NoticeRequest, parseNoticeMessage } from '../../../core/changes/notice-request.ts';
import type { NoticeResult, SendNotice } from '../../../core/changes/send-notice.ts';
import type { Reporting } from '../../runtime/reporting.ts';
import { createProcessBatch, type MessageResult, type QueueDeps } from '../../runtime/sqs-batch.ts';

interface Deps extends QueueDeps {
  sendNotice: SendNotice;
}

/**
 * Sends the e-mails that requests ask for. A batch has one request, so that a request that stays in
 * the queue leaves the later ones of its integration in their order behind it.
 */
export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps, 'notice.unreadable');
  return (batch: SQSEvent): Promise<SQSBatchResponse> =>
    processBatch(batch, async ({ body }) => {
      const request = parseNoticeMessage(body);
      return report(request, await deps.sendNotice(request), deps);
    });
};

/** Logs ids alone: an address is not for the log. */
const report = (
  { account, integration }: NoticeRequest,
  result: NoticeResult,
  { logger, metrics }: Reporting,
): MessageResult => {
  const fields = { account, integration };
  if (result.kind === 'waits') return result.until;
  if (result.kind === 'dropped') {
    logger.info('notice.dropped', { ...fields, because: result.because });
    return 'done';
  }
  const { about, mails, refused } = result;
  if (mails > 0) logger.info('notice.sent', { ...fields, about, mails });
  if (refused.length > 0) logger.warn('notice.not_sent', { ...fields, about, refused });
  metrics.count('NoticesNotSent', refused.length);
  return 'done';
};
