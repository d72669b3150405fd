import type { MadeAttempt } from '../../core/delivery/attempt/make-attempt.ts';
import type { Attempt, OutcomeClass } from '../../core/delivery/attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { faultField, type Logger } from './logger.ts';
import type { Counter, Metrics } from './metrics.ts';

/** Where a function tells what happened. */
export interface Reporting {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const COUNTERS: Record<OutcomeClass, Counter> = {
  delivered: 'DeliveriesDelivered',
  transient: 'DeliveriesTransient',
  fatal: 'DeliveriesFatal',
};

/** One wide line for each attempt, and its count. */
export const reportAttempt = (made: MadeAttempt, { logger, metrics }: Reporting): void => {
  logAttempt(made, logger);
  metrics.count(COUNTERS[made.attempt.outcome.class]);
};

/** The line without the count: a test tells an operator nothing of the customers' events. */
export const logAttempt = ({ attempt, recordingFault }: MadeAttempt, logger: Logger): void => {
  const { nextAttemptAt } = attempt;
  logger.info('delivery.attempted', {
    ...deliveryFields(attempt),
    attempt: attempt.number,
    trigger: attempt.trigger,
    outcome: attempt.outcome.class,
    ...answerFields(attempt),
    durationMs: attempt.durationMs,
    ...(nextAttemptAt && { nextAttemptAt: nextAttemptAt.toISOString() }),
  });
  if (recordingFault !== undefined) {
    logger.error('attempt.not_recorded', {
      ...deliveryFields(attempt),
      ...faultField(recordingFault),
    });
  }
};

export const reportTroubleEnd = (
  { account, integration }: Pick<Attempt, 'account' | 'integration'>,
  { logger, metrics }: Reporting,
): void => {
  logger.info('integration.trouble_ended', { account, integration });
  metrics.count('TroublesEnded');
};

/** Which delivery a line is about. */
export const deliveryFields = ({
  account,
  integration,
  event,
}: Pick<Delivery, 'account' | 'integration' | 'event'>) => ({
  account,
  integration,
  event: event.id,
  eventType: event.type,
});

/** Without the body of the answer, which is the customer's. */
export const answerFields = ({ outcome: { result } }: Attempt): Record<string, unknown> =>
  result.kind === 'answered'
    ? { statusCode: result.statusCode }
    : { reason: result.reason, code: result.code };
