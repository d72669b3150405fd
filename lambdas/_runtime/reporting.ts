import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import { MetricUnit, Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';
import type { MadeAttempt } from '../../core/delivery/attempt/make-attempt.ts';
import type { Attempt, OutcomeClass } from '../../core/delivery/attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';

/** Structured lines: a name from the catalogue of docs/runbook.md, and its fields. Never bodies, secrets or tokens. */
export interface Logger {
  info(name: string, fields: Record<string, unknown>): void;
  warn(name: string, fields: Record<string, unknown>): void;
  error(name: string, fields: Record<string, unknown>): void;
}

/** Service name and level come from the POWERTOOLS_* variables that every function has. */
export const createLogger = (): Logger => new PowertoolsLogger();

/** A fault as fields: its name, message and place, without the data it was about. */
export const faultField = (fault: unknown): { error: string; stack?: string } =>
  fault instanceof Error
    ? { error: `${fault.name}: ${fault.message}`, stack: fault.stack }
    : { error: 'a value that is not an Error was thrown' };

export type Counter =
  | 'DeliveriesDelivered'
  | 'DeliveriesTransient'
  | 'DeliveriesFatal'
  | 'EventsPending'
  | 'EventsReplayed'
  | 'IntegrationsFailed'
  | 'TroublesEnded';

/** What an operator watches. The catalogue is in docs/runbook.md. */
export interface Metrics {
  /** Adds one, or `by`. */
  count(name: Counter, by?: number): void;
  /** How long the oldest pending event of an integration has been waiting. */
  oldestPendingEvent(age: { seconds: number }): void;
  /** Writes what was counted since the last time; once at the end of every invocation. */
  flush(): void;
}

const NAMESPACE = 'Integrations';

/**
 * Lines of CloudWatch's embedded metric format on standard output. Every function writes with the
 * same two dimensions: a replayed event counts once, whichever function says so, and each further
 * dimension would be billed as so many further metrics.
 */
export const createMetrics = (stage: string): Metrics => {
  const metrics = new PowertoolsMetrics({
    namespace: NAMESPACE,
    serviceName: 'integrations',
    defaultDimensions: { stage },
  });
  return {
    count: (name, by = 1) => {
      if (by > 0) metrics.addMetric(name, MetricUnit.Count, by);
    },
    oldestPendingEvent: ({ seconds }) => {
      metrics.addMetric('OldestPendingEventAge', MetricUnit.Seconds, seconds);
    },
    // Publishing nothing makes it write a warning.
    flush: () => {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
};

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
