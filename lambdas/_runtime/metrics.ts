import { MetricUnit, Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';

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
