import type { DeliveryResult } from '../../core/delivery/deliver-webhook.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PostResult } from '../../core/delivery/outcome.ts';
import { faultField, type Logger } from '../_runtime/logger.ts';

/** One wide line for each attempt. */
export const logResult = (delivery: Delivery, result: DeliveryResult, logger: Logger): void => {
  const subject = {
    account: delivery.account,
    integration: delivery.integration,
    event: delivery.event.id,
    eventType: delivery.event.type,
  };
  if (result.kind === 'dropped') {
    logger.info('delivery.dropped', { ...subject, because: result.because });
    return;
  }
  const { attempt, recordingFault } = result;
  logger.info('delivery.attempted', {
    ...subject,
    attempt: attempt.number,
    trigger: attempt.trigger,
    outcome: attempt.outcome.class,
    ...answerFields(attempt.outcome.result),
    durationMs: attempt.durationMs,
  });
  if (recordingFault !== undefined) {
    logger.error('attempt.not_recorded', { ...subject, ...faultField(recordingFault) });
  }
};

/** Not what the endpoint answered with: that is the customer's. */
const answerFields = (result: PostResult): Record<string, unknown> =>
  result.kind === 'answered'
    ? { statusCode: result.statusCode }
    : { reason: result.reason, code: result.code };
