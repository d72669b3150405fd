import { Duration } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { StageName, StageSettings } from '../stage-settings.ts';
import { PlottedAlarm } from './monitoring.ts';
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
    if (settings.mailFrom !== undefined) this.#watchMails();
    this.apiFaults = this.#watchApi();
  }

  #watchRecords(): void {
    // A throttled write delays a record for some seconds, and needs no action.
    new PlottedAlarm(this, 'FailedRecords', {
      graph: 'failed',
      label: 'records',
      metric: writtenMetric(this.#stage, 'RecordsFailed'),
      threshold: 1,
      periods: 3,
      meaning:
        'Messages have failed for 15 minutes because of a fault in the service. Webhooks are late.',
      runbookSection: 'failed-records',
    });
    // Such a record is retried every half hour.
    new PlottedAlarm(this, 'StuckRecords', {
      graph: 'failed',
      label: 'records for more than an hour',
      metric: writtenMetric(this.#stage, 'RecordsStuck', { period: Duration.hours(1) }),
      threshold: 1,
      meaning:
        'Messages have failed for more than an hour because of a fault in the service, and are lost after 14 days; or pending events cannot be read.',
      runbookSection: 'failed-records',
    });
    new PlottedAlarm(this, 'DeliveriesNotSent', {
      graph: 'failed',
      label: 'requests that could not be made',
      metric: writtenMetric(this.#stage, 'DeliveriesNotSent', { period: Duration.hours(1) }),
      threshold: 1,
      meaning:
        'The service cannot sign or build the requests of an integration, so its customer gets no webhooks.',
      runbookSection: 'deliveries-not-sent',
    });
    new PlottedAlarm(this, 'FailedLogWrites', {
      graph: 'failed',
      label: 'log writes',
      metric: writtenMetric(this.#stage, 'LogWritesFailed'),
      threshold: 1,
      periods: 3,
      meaning:
        'The delivery log cannot be written, so customers do not see what happened to deliveries.',
      runbookSection: 'delivery-log',
    });
  }

  #watchCustomers(): void {
    // An integration in trouble writes the metric at its hourly retry, which may be late, so an hour
    // can have none. No data means that nothing is pending. If there are no retries at all, the
    // alarms on the retry queue and the schedules are raised.
    new PlottedAlarm(this, 'OldPendingEvents', {
      graph: 'oldest-pending',
      label: 'of all integrations',
      metric: writtenMetric(this.#stage, 'OldestPendingEventAge', {
        statistic: 'Maximum',
        period: Duration.hours(2),
      }),
      threshold: Duration.days(3).toSeconds(),
      meaning: 'A customer has events that have been pending for three days.',
      runbookSection: 'old-pending-events',
    });
    new PlottedAlarm(this, 'EventsSetAside', {
      graph: 'set-aside',
      label: 'events',
      metric: writtenMetric(this.#stage, 'EventsSetAside', { period: Duration.hours(1) }),
      threshold: 1,
      meaning: 'Events were set aside, because an endpoint accepts others and not these.',
      runbookSection: 'events-set-aside',
    });
  }

  #watchMails(): void {
    new PlottedAlarm(this, 'NoticesNotSent', {
      graph: 'failed',
      label: 'e-mails that were refused',
      metric: writtenMetric(this.#stage, 'NoticesNotSent', { period: Duration.hours(1) }),
      threshold: 1,
      meaning: 'SES refused e-mails about failures, so some admins do not learn of them.',
      runbookSection: 'e-mails-not-sent',
    });
  }

  /** These watch the functions of the API too: the gateway answers 5xx when they fail or are throttled. */
  #watchApi(): Alarm {
    const faults = new PlottedAlarm(this, 'ApiFaults', {
      graph: 'api-faults',
      label: '5xx',
      metric: apiMetric(this.#stage, '5XXError', 'Sum'),
      threshold: 5,
      meaning: 'The API answers requests with 5xx.',
      runbookSection: 'api-faults',
    });
    // Tests and retries wait for an endpoint, but they are few among a hundred requests.
    new PlottedAlarm(this, 'ApiLatency', {
      graph: 'latency',
      label: 'nine requests of ten',
      metric: apiMetric(this.#stage, 'Latency', 'p90'),
      threshold: Duration.seconds(3).toMilliseconds(),
      periods: 3,
      needsManySamples: true,
      meaning: 'One in ten requests to the API takes more than three seconds.',
      runbookSection: 'api-latency',
    });
    return faults;
  }
}
