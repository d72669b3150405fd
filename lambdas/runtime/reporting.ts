import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import { MetricUnit, Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';
import type { Attempt, OutcomeClass } from '../../core/delivery/attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { MadeAttempt } from '../../core/delivery/sending/make-attempt.ts';
import type { AttemptLines } from './environment.ts';

/**
 * Writes structured log lines: the name of a log event (docs/operators/logs-and-metrics.md) and its
 * fields. Never bodies, secrets or tokens.
 */
export interface Logger {
  info(name: string, fields: Record<string, unknown>): void;
  warn(name: string, fields: Record<string, unknown>): void;
  error(name: string, fields: Record<string, unknown>): void;
}

/** Service name and level come from the POWERTOOLS_* variables that every function has. */
export const createLogger = (): Logger => new PowertoolsLogger();

/** A fault as fields: the error's name, message and stack. */
export const faultField = (fault: unknown): { error: string; stack?: string } =>
  fault instanceof Error
    ? { error: `${fault.name}: ${fault.message}`, stack: fault.stack }
    : { error: 'a value that is not an Error was thrown' };

/** The metrics that are sums. */
export const COUNTERS = [
  'DeliveriesDelivered',
  'DeliveriesTransient',
  'DeliveriesFatal',
  'DeliveriesNotSent',
  'EventsNotSubscribed',
  'EventsOfUnknownAccounts',
  'EventsPending',
  'EventsReplayed',
  'EventsSetAside',
  'IntegrationsConfirming',
  'IntegrationsNotConfirming',
  'IntegrationsStopped',
  'LogWritesFailed',
  'NoticesNotSent',
  'RecordsFailed',
  'RecordsStuck',
  'TroublesEnded',
] as const;

export type Counter = (typeof COUNTERS)[number];

/** Every metric of ours. CloudWatch bills each, in the hours in which it is written. */
export const METRICS = [...COUNTERS, 'CanaryLatency'] as const;

export type MetricName = (typeof METRICS)[number];

/** The metrics of docs/operators/logs-and-metrics.md. */
export interface Metrics {
  /** Adds one, or `by`. */
  count(name: Counter, by?: number): void;
  /** From when the canary's event occurred until its webhook arrived. */
  canaryLatency(latency: { milliseconds: number }): void;
  /** Writes the metrics since the last flush. Called at the end of every invocation. */
  flush(): void;
}

/**
 * Metrics as lines of CloudWatch's embedded metric format on standard output. Every function uses
 * the same two dimensions, because CloudWatch bills each combination as a metric in each hour in which
 * it is written.
 */
export const createMetrics = (stage: string): Metrics => {
  const metrics = new PowertoolsMetrics({
    namespace: 'Integrations',
    serviceName: 'integrations',
    defaultDimensions: { stage },
  });
  const counts = new Map<Counter, number>();
  /** Once more, with the version of the function: a gradual release looks at the new one alone. */
  const countOfVersion = (name: Counter, sum: number): void => {
    const { AWS_LAMBDA_FUNCTION_NAME: of = '', AWS_LAMBDA_FUNCTION_VERSION: version = '' } =
      process.env;
    const single = metrics.singleMetric();
    single.addDimensions({ function: of, version });
    single.addMetric(name, MetricUnit.Count, sum);
  };
  return {
    // Powertools would write all values of a metric; operators need the sums.
    count: (name, by = 1) => {
      if (by > 0) counts.set(name, (counts.get(name) ?? 0) + by);
    },
    canaryLatency: ({ milliseconds }) => {
      metrics.addMetric('CanaryLatency', MetricUnit.Milliseconds, milliseconds);
    },
    flush: () => {
      for (const [name, sum] of counts) metrics.addMetric(name, MetricUnit.Count, sum);
      const failed = counts.get('RecordsFailed');
      if (failed !== undefined) countOfVersion('RecordsFailed', failed);
      counts.clear();
      // Without metrics, `publishStoredMetrics` would write a warning.
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
};

/** The log and the metrics of a function. */
export interface Reporting {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const COUNTER_OF: Record<OutcomeClass, Counter> = {
  delivered: 'DeliveriesDelivered',
  transient: 'DeliveriesTransient',
  fatal: 'DeliveriesFatal',
};

/**
 * Counts an attempt and logs it. With `undelivered`, a delivered attempt gets a line only if the
 * delivery log lacks the attempt.
 */
export const reportAttempt = (
  made: MadeAttempt,
  { logger, metrics }: Reporting,
  lines: AttemptLines = 'all',
): void => {
  const isInDeliveryLog = made.recordingFault === undefined;
  const isDelivered = made.attempt.outcome.class === 'delivered';
  if (lines === 'all' || !isDelivered || !isInDeliveryLog) logAttempt(made, logger);
  metrics.count(COUNTER_OF[made.attempt.outcome.class]);
  if (isNotSent(made.attempt)) metrics.count('DeliveriesNotSent');
  if (!isInDeliveryLog) metrics.count('LogWritesFailed');
};

/** Logs an attempt without counting it: a test says nothing about the customers' events. */
export const logAttempt = (
  { attempt, recordingFault, traceparent }: MadeAttempt,
  logger: Logger,
): void => {
  const { nextAttemptAt } = attempt;
  logger.info('delivery.attempted', {
    ...deliveryFields(attempt),
    attempt: attempt.number,
    trigger: attempt.trigger,
    outcome: attempt.outcome.class,
    ...answerFields(attempt),
    durationMs: attempt.durationMs,
    ...(nextAttemptAt && { nextAttemptAt: nextAttemptAt.toISOString() }),
    ...(traceparent && { traceparent }),
  });
  if (isUnknownFault(attempt)) {
    logger.warn('endpoint.unknown_fault', { ...deliveryFields(attempt), ...answerFields(attempt) });
  }
  if (recordingFault !== undefined) {
    logger.error('attempt.not_recorded', {
      ...deliveryFields(attempt),
      ...faultField(recordingFault),
    });
  }
};

/** The service is at fault, and not the endpoint: an operator has to look. */
const isNotSent = ({ outcome: { result } }: Attempt): boolean =>
  result.kind === 'unanswered' && result.reason === 'not-sent';

const isUnknownFault = ({ outcome: { result } }: Attempt): boolean =>
  result.kind === 'unanswered' && result.isUnknown === true;

/** Logs and counts a delivery that was set aside after an attempt. */
export const reportSetAside = ({ attempt }: MadeAttempt, { logger, metrics }: Reporting): void => {
  logger.warn('delivery.set_aside', { ...deliveryFields(attempt), ...answerFields(attempt) });
  metrics.count('EventsSetAside');
};

export const reportTroubleEnd = (
  { account, integration }: Pick<Attempt, 'account' | 'integration'>,
  { logger, metrics }: Reporting,
): void => {
  logger.info('integration.trouble_ended', { account, integration });
  metrics.count('TroublesEnded');
};

/** The delivery of a log line, as fields. */
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

/** The answer to an attempt as fields, without its body, which is the customer's. */
export const answerFields = ({ outcome: { result } }: Attempt): Record<string, unknown> =>
  result.kind === 'answered'
    ? { statusCode: result.statusCode }
    : { reason: result.reason, code: result.code };
