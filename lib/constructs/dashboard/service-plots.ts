import { Duration } from 'aws-cdk-lib';
import { Color, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { StageName } from '../../stage-settings.ts';
import { labelOf, type Plot } from '../monitoring.ts';
import { apiMetric, writtenMetric } from '../stage-metrics.ts';

/** Metric that the functions write, graph, label. */
const WRITTEN = [
  ['IntegrationsFailed', 'troubles', 'failed'],
  ['TroublesEnded', 'troubles', 'ended'],
  ['EventsPending', 'pending', 'stored'],
  ['EventsReplayed', 'pending', 'replayed'],
  ['EventsNotSubscribed', 'unwanted', 'no webhook subscribed'],
  ['EventsOfUnknownAccounts', 'unwanted', 'no such account'],
] as const;

/** The lines of the whole service that no alarm watches. */
export const servicePlots = (stage: StageName, tables: readonly ITable[]): readonly Plot[] => [
  ...attemptPlots(stage),
  ...WRITTEN.map(([name, graph, label]) => ({ graph, label, metric: writtenMetric(stage, name) })),
  { graph: 'requests', label: 'all', metric: apiMetric(stage, 'Count', 'Sum') },
  { graph: 'requests', label: 'answered with 4xx', metric: apiMetric(stage, '4XXError', 'Sum') },
  { graph: 'latency', label: 'half of the requests', metric: apiMetric(stage, 'Latency', 'p50') },
  // Calls that a table refuses because a partition or the account has too much to do.
  ...tables.flatMap((table) =>
    (['Read', 'Write'] as const).map((call) => ({
      graph: 'table-throttles' as const,
      label: `${labelOf(table)}, ${call.toLowerCase()}s`,
      metric: table.metric(`${call}ThrottleEvents`, {
        period: Duration.minutes(1),
        statistic: 'Sum',
      }),
    })),
  ),
];

const attemptPlots = (stage: StageName): readonly Plot[] => {
  const delivered = writtenMetric(stage, 'DeliveriesDelivered', { color: Color.GREEN });
  const transient = writtenMetric(stage, 'DeliveriesTransient', { color: Color.ORANGE });
  const fatal = writtenMetric(stage, 'DeliveriesFatal', { color: Color.RED });
  const success = new MathExpression({
    // SUM leaves out metrics without a value; `+` would have no value then.
    expression: '100 * FILL(delivered, 0) / SUM([delivered, transient, fatal])',
    usingMetrics: { delivered, transient, fatal },
    period: Duration.minutes(5),
  });
  return [
    { graph: 'attempts', label: 'delivered', metric: delivered },
    { graph: 'attempts', label: 'transient', metric: transient },
    { graph: 'attempts', label: 'fatal', metric: fatal },
    { graph: 'success', label: 'delivered, of 100 attempts', metric: success },
  ];
};
