import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageName, StageSettings } from '../stage-settings.ts';
import { PlottedAlarm } from './monitoring.ts';
import { apiMetric, writtenMetric } from './stage-metrics.ts';

interface ServiceAlarmsProps {
  readonly settings: StageSettings;
  /** The functions that the gateway calls. */
  readonly behindApi: readonly IFunction[];
}

const EACH_FIVE_MINUTES = { period: Duration.minutes(5), statistic: 'Sum' };

/** In five minutes, and of the calls that are not refused: one client that meets a bug is no page. */
const FAULTS = 5;
const FAULTS_PERCENT = 1;

/** Alarms on the metrics that the functions write, and on those of the whole API. */
export class ServiceAlarms extends Construct {
  readonly #stage: StageName;

  constructor(scope: Construct, id: string, { settings, behindApi }: ServiceAlarmsProps) {
    super(scope, id);
    this.#stage = settings.stage;
    this.#watchRecords();
    this.#watchCustomers();
    if (settings.mailFrom !== undefined) this.#watchMails();
    this.#watchApi(behindApi);
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

  /** These watch the functions of the API too: the gateway answers 5xx when they crash. */
  #watchApi(functions: readonly IFunction[]): void {
    const throttles = functions.map((lambda) => lambda.metricThrottles(EACH_FIVE_MINUTES));
    const thrown = throttles.map((_, index) => `FILL(throttled${index}, 0)`).join(' + ');
    new PlottedAlarm(this, 'ApiFaults', {
      graph: 'api-faults',
      label: '5xx that are our fault',
      // The gateway answers 500 when Lambda throttles a function: a lack of concurrency, or a flood, and
      // no fault. Requests that are refused do not count, so that a flood of them hides no fault.
      metric: new MathExpression({
        expression: `IF(failed - (${thrown}) >= ${FAULTS}, 100 * (failed - (${thrown})) / (calls - FILL(refused, 0)), 0)`,
        usingMetrics: {
          failed: apiMetric(this.#stage, '5XXError', 'Sum'),
          calls: apiMetric(this.#stage, 'Count', 'Sum'),
          refused: apiMetric(this.#stage, '4XXError', 'Sum'),
          ...Object.fromEntries(throttles.map((metric, index) => [`throttled${index}`, metric])),
        },
        period: EACH_FIVE_MINUTES.period,
      }),
      threshold: FAULTS_PERCENT,
      meaning: 'The API answers requests with 5xx because of a fault in the service.',
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
  }
}
