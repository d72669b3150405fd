import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../../lambdas/runtime/reporting.ts';
import type { StageName } from '../stage-settings.ts';

/** A metric as `createMetrics` writes it. */
export const writtenMetric = (
  stage: StageName,
  metricName: MetricName,
  options: MetricOptions = {},
): Metric =>
  new Metric({
    namespace: 'Integrations',
    metricName,
    dimensionsMap: { service: 'integrations', stage },
    period: Duration.minutes(5),
    statistic: 'Sum',
    ...options,
  });

/** A metric of the whole API. */
export const apiMetric = (
  stage: StageName,
  metricName: 'Count' | '4XXError' | '5XXError' | 'Latency',
  statistic: 'Sum' | 'p50' | 'p90',
  period = Duration.minutes(5),
): Metric =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiName: `integrations-${stage}`, Stage: stage },
    period,
    statistic,
  });
