import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { RetryHourly } from '../../../core/delivery/sending/retry-hourly.ts';
import { parseScheduleInput } from '../../../core/delivery/trouble/begin-trouble.ts';
import { faultField, reportTroubleEnd } from '../../runtime/reporting.ts';
import { reportRetryAttempts } from '../../runtime/retry-reports.ts';
import { createProcessBatch, type MessageResult, type QueueDeps } from '../../runtime/sqs-batch.ts';

interface Deps extends QueueDeps {
  retryHourly: RetryHourly;
}

/** Retries the integrations whose schedules put a message on the retry queue. */
export const createHandler = (deps: Deps) => {
  const processBatch = createProcessBatch(deps, 'retry.unreadable');
  return (batch: SQSEvent): Promise<SQSBatchResponse> =>
    processBatch(batch, (record) => retry(record, deps));
};

const retry = async ({ body, messageId }: SQSRecord, deps: Deps): Promise<MessageResult> => {
  const schedule = parseScheduleInput(body);
  const { account, id: integration, epoch } = schedule;
  const result = await deps.retryHourly(schedule, { messageId });
  if (result.kind === 'retried') {
    reportRetryAttempts(result.attempts, deps);
  } else {
    deps.logger.info('retry.skipped', { account, integration, epoch, because: result.kind });
  }
  if (result.moveFault !== undefined) {
    const fault = faultField(result.moveFault);
    deps.logger.error('schedule.not_moved', { account, integration, epoch, ...fault });
  }
  if ('endedTrouble' in result && result.endedTrouble) {
    reportTroubleEnd({ account, integration }, deps);
  }
  return result.onceMoreAt ?? 'done';
};
