import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Counter } from '../../lambdas/_runtime/reporting.ts';
import type { StageSettings } from '../config.ts';
import { addAlarm } from './alarm.ts';

/** Alarms on the metrics that the functions write. */
export class ServiceAlarms extends Construct {
  readonly #stage: string;

  constructor(scope: Construct, id: string, { settings }: { settings: StageSettings }) {
    super(scope, id);
    this.#stage = settings.stage;
    // A throttled write costs a record some seconds, and nobody has to act.
    addAlarm(this, 'FailedRecords', {
      metric: this.#metric('RecordsFailed', { statistic: 'Sum' }),
      threshold: 1,
      periods: 3,
      meaning: 'Records of queues fail by our fault for a quarter of an hour: webhooks are late.',
      runbookSection: 'failed-records',
    });
    // Such a record comes back every half hour.
    addAlarm(this, 'StuckRecords', {
      metric: this.#metric('RecordsStuck', { statistic: 'Sum', period: Duration.hours(1) }),
      threshold: 1,
      meaning: 'Records fail by our fault for more than an hour, and are lost after 14 days.',
      runbookSection: 'failed-records',
    });
  }

  /** A metric as `createMetrics` writes it. */
  #metric(metricName: Counter, options: MetricOptions): Metric {
    return new Metric({
      namespace: 'Integrations',
      metricName,
      dimensionsMap: { service: 'integrations', stage: this.#stage },
      period: Duration.minutes(5),
      ...options,
    });
  }
}
