import { Duration } from 'aws-cdk-lib';
import { Color, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { MetricName } from '../../../lambdas/runtime/reporting.ts';
import type { StageName } from '../../stage-settings.ts';
import { labelOf, type Plot, PlottedMetric } from '../monitoring.ts';
import { apiMetric, writtenMetric } from '../stage-metrics.ts';
import type { GraphName } from './rows.ts';

interface ServicePlotsProps {
  readonly stage: StageName;
  readonly tables: readonly ITable[];
}

/** The dashboard's lines of the whole service that no alarm watches. */
export class ServicePlots extends Construct {
  readonly #stage: StageName;

  constructor(scope: Construct, id: string, { stage, tables }: ServicePlotsProps) {
    super(scope, id);
    this.#stage = stage;
    this.#plotAttempts();
    this.#plotWritten('IntegrationsFailed', 'troubles', 'failed');
    this.#plotWritten('TroublesEnded', 'troubles', 'ended');
    this.#plotWritten('EventsPending', 'pending', 'stored');
    this.#plotWritten('EventsReplayed', 'pending', 'replayed');
    this.#plotWritten('EventsNotSubscribed', 'unwanted', 'no webhook subscribed');
    this.#plotWritten('EventsOfUnknownAccounts', 'unwanted', 'no such account');
    this.#plotApi();
    for (const table of tables) {
      this.#plotThrottles(table, 'ReadThrottleEvents', 'reads');
      this.#plotThrottles(table, 'WriteThrottleEvents', 'writes');
    }
  }

  #plotAttempts(): void {
    const attempts = (name: MetricName, color: string) =>
      writtenMetric(this.#stage, name, { color });
    const delivered = attempts('DeliveriesDelivered', Color.GREEN);
    const transient = attempts('DeliveriesTransient', Color.ORANGE);
    const fatal = attempts('DeliveriesFatal', Color.RED);
    this.#plot('DeliveriesDelivered', { graph: 'attempts', label: 'delivered', metric: delivered });
    this.#plot('DeliveriesTransient', { graph: 'attempts', label: 'transient', metric: transient });
    this.#plot('DeliveriesFatal', { graph: 'attempts', label: 'fatal', metric: fatal });
    this.#plot('Success', {
      graph: 'success',
      label: 'delivered, of 100 attempts',
      metric: new MathExpression({
        // SUM leaves out metrics without a value; `+` would have no value then.
        expression: '100 * FILL(delivered, 0) / SUM([delivered, transient, fatal])',
        usingMetrics: { delivered, transient, fatal },
        period: Duration.minutes(5),
      }),
    });
  }

  #plotApi(): void {
    this.#plot('Requests', {
      graph: 'requests',
      label: 'all',
      metric: apiMetric(this.#stage, 'Count', 'Sum'),
    });
    this.#plot('RefusedRequests', {
      graph: 'requests',
      label: 'answered with 4xx',
      metric: apiMetric(this.#stage, '4XXError', 'Sum'),
    });
    this.#plot('MedianLatency', {
      graph: 'latency',
      label: 'half of the requests',
      metric: apiMetric(this.#stage, 'Latency', 'p50'),
    });
  }

  /** Calls that a table refuses because a partition or the account has too much to do. */
  #plotThrottles(table: ITable, metricName: string, calls: string): void {
    this.#plot(`${table.node.id}${metricName}`, {
      graph: 'table-throttles',
      label: `${labelOf(table)}, ${calls}`,
      metric: table.metric(metricName, { period: Duration.minutes(1), statistic: 'Sum' }),
    });
  }

  #plotWritten(name: MetricName, graph: GraphName, label: string): void {
    this.#plot(name, { graph, label, metric: writtenMetric(this.#stage, name) });
  }

  #plot(id: string, plot: Plot): void {
    new PlottedMetric(this, id, plot);
  }
}
