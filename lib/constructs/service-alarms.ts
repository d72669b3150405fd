import { Duration } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { StageName, StageSettings } from '../stage-settings.ts';
import { addAlarm } from './alarm.ts';
import { apiMetric, writtenMetric } from './stage-metrics.ts';

/** Alarms on the metrics that the functions write, and on those of the whole API. */
export class ServiceAlarms extends Construct {
  /** The API answers requests with 5xx. */
  readonly apiFaults: Alarm;
  readonly #stage: StageName;

  constructor(scope: Construct, id: string, { settings }: { settings: StageSettings }) {
    super(scope, id);
    this.#stage = settings.stage;
    this.#watchRecords();
    this.#watchCustomers();
    this.apiFaults = this.#watchApi();
  }

  #watchRecords(): void {
    // A throttled write costs a record some seconds, and nobody has to act.
    addAlarm(this, 'FailedRecords', {
      graph: 'failed',
      label: 'records',
      metric: writtenMetric(this.#stage, 'RecordsFailed'),
      threshold: 1,
      periods: 3,
      meaning: 'Records of queues fail by our fault for a quarter of an hour: webhooks are late.',
      runbookSection: 'failed-records',
    });
    // Such a record comes back every half hour.
    addAlarm(this, 'StuckRecords', {
      graph: 'failed',
      label: 'records for more than an hour',
      metric: writtenMetric(this.#stage, 'RecordsStuck', { period: Duration.hours(1) }),
      threshold: 1,
      meaning: 'Records fail by our fault for more than an hour, and are lost after 14 days.',
      runbookSection: 'failed-records',
    });
    addAlarm(this, 'DeliveriesNotSent', {
      graph: 'failed',
      label: 'requests that could not be made',
      metric: writtenMetric(this.#stage, 'DeliveriesNotSent', { period: Duration.hours(1) }),
      threshold: 1,
      meaning: 'A customer gets no webhooks by our fault: a secret cannot be opened, for example.',
      runbookSection: 'deliveries-not-sent',
    });
    addAlarm(this, 'FailedLogWrites', {
      graph: 'failed',
      label: 'log writes',
      metric: writtenMetric(this.#stage, 'LogWritesFailed'),
      threshold: 1,
      periods: 3,
      meaning:
        'The delivery log cannot be written: customers do not see what became of deliveries.',
      runbookSection: 'delivery-log',
    });
  }

  #watchCustomers(): void {
    // An integration in trouble writes the metric at its hourly retry, which may be late: an hour
    // can have none. No data means that nothing is pending. If no retries are made at all, the
    // alarms on the retry queue and the schedules tell.
    addAlarm(this, 'OldPendingEvents', {
      graph: 'oldest-pending',
      label: 'of all integrations',
      metric: writtenMetric(this.#stage, 'OldestPendingEventAge', {
        statistic: 'Maximum',
        period: Duration.hours(2),
      }),
      threshold: Duration.days(3).toSeconds(),
      meaning: 'A customer has had events pending for three days.',
      runbookSection: 'old-pending-events',
    });
    addAlarm(this, 'EventsSetAside', {
      graph: 'set-aside',
      label: 'events',
      metric: writtenMetric(this.#stage, 'EventsSetAside', { period: Duration.hours(1) }),
      threshold: 1,
      meaning: 'Events were set aside, because an endpoint takes others and not these.',
      runbookSection: 'events-set-aside',
    });
  }

  /** A function of the API that fails or is throttled shows here: the gateway answers 5xx. */
  #watchApi(): Alarm {
    const faults = addAlarm(this, 'ApiFaults', {
      graph: 'api-faults',
      label: '5xx',
      metric: apiMetric(this.#stage, '5XXError', { statistic: 'Sum' }),
      threshold: 5,
      meaning: 'The API answers requests with 5xx.',
      runbookSection: 'api-faults',
    });
    // Tests and retries wait for an endpoint, but are few among a hundred requests.
    addAlarm(this, 'ApiLatency', {
      graph: 'latency',
      label: 'nine requests of ten',
      metric: apiMetric(this.#stage, 'Latency', { statistic: 'p90' }),
      threshold: Duration.seconds(3).toMilliseconds(),
      periods: 3,
      needsManySamples: true,
      meaning: 'One request to the API in ten takes more than three seconds.',
      runbookSection: 'api-latency',
    });
    return faults;
  }
}
