import { Duration } from 'aws-cdk-lib';
import { Color, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricName } from '../../../lambdas/runtime/reporting.ts';
import type { StageName } from '../../stage-settings.ts';
import { PlottedMetric } from '../plot.ts';
import { apiMetric, writtenMetric } from '../stage-metrics.ts';
import type { GraphName } from './rows.ts';

/** What the dashboard shows of the whole service and no alarm watches. */
export class ServicePlots extends Construct {
  readonly #stage: StageName;

  constructor(scope: Construct, id: string, { stage }: { stage: StageName }) {
    super(scope, id);
    this.#stage = stage;
    this.#plotAttempts();
    this.#plotWritten('IntegrationsFailed', 'troubles', 'failed');
    this.#plotWritten('TroublesEnded', 'troubles', 'ended');
    this.#plotWritten('EventsPending', 'pending', 'stored');
    this.#plotWritten('EventsReplayed', 'pending', 'replayed');
    this.#plotApi();
  }

  #plotAttempts(): void {
    const delivered = this.#attempts('DeliveriesDelivered', Color.GREEN);
    const transient = this.#attempts('DeliveriesTransient', Color.ORANGE);
    const fatal = this.#attempts('DeliveriesFatal', Color.RED);
    this.#plot('DeliveriesDelivered', { graph: 'attempts', label: 'delivered', metric: delivered });
    this.#plot('DeliveriesTransient', { graph: 'attempts', label: 'transient', metric: transient });
    this.#plot('DeliveriesFatal', { graph: 'attempts', label: 'fatal', metric: fatal });
    this.#plot('Success', {
      graph: 'success',
      label: 'delivered, of 100 attempts',
      metric: new MathExpression({
        // SUM leaves out what was not counted; `+` would have no value then.
        expression: '100 * FILL(delivered, 0) / SUM([delivered, transient, fatal])',
        usingMetrics: { delivered, transient, fatal },
        period: Duration.minutes(5),
      }),
    });
  }

  #plotApi(): void {
    const count = { statistic: 'Sum' };
    this.#plot('Requests', {
      graph: 'requests',
      label: 'all',
      metric: apiMetric(this.#stage, 'Count', count),
    });
    this.#plot('RefusedRequests', {
      graph: 'requests',
      label: 'answered with 4xx',
      metric: apiMetric(this.#stage, '4XXError', count),
    });
    this.#plot('MedianLatency', {
      graph: 'latency',
      label: 'half of the requests',
      metric: apiMetric(this.#stage, 'Latency', { statistic: 'p50' }),
    });
  }

  #attempts(name: MetricName, color: string) {
    return writtenMetric(this.#stage, name, { color });
  }

  #plotWritten(name: MetricName, graph: GraphName, label: string): void {
    this.#plot(name, { graph, label, metric: writtenMetric(this.#stage, name) });
  }

  #plot(id: string, plot: ConstructorParameters<typeof PlottedMetric>[2]): void {
    new PlottedMetric(this, id, plot);
  }
}
