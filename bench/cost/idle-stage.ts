import { METRICS } from '../../lambdas/runtime/reporting.ts';
import { PRICES } from '../../lib/prices.ts';
import type { TemplateResource } from '../stage-assembly.ts';
import type { Line } from './dollars.ts';
import { sum } from './item-size.ts';

/** Lambda polls an empty queue with five pollers, each of which waits 20 s for a message. */
const POLLERS = 5;
const LONG_POLL_S = 20;
export const SECONDS_OF_MONTH = 30.4 * 86_400;

/** The bill of a stage for a month without events, by its template. */
export const idleBill = (resources: readonly TemplateResource[]): readonly Line[] => {
  const ofType = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
  // Reading a table's stream is free.
  const queues = ofType('AWS::Lambda::EventSourceMapping').filter(
    ({ ScalingConfig }) => ScalingConfig !== undefined,
  ).length;
  const fifo = ofType('AWS::SQS::Queue').filter(
    ({ FifoQueue, RedrivePolicy }) => FifoQueue === true && RedrivePolicy !== undefined,
  ).length;
  const receives = (POLLERS * SECONDS_OF_MONTH) / LONG_POLL_S;
  const watched = sum(ofType('AWS::CloudWatch::Alarm').map(metricsWatchedBy));
  const keys = ofType('AWS::KMS::Key').length;
  const acls = ofType('AWS::WAFv2::WebACL');
  const rules = sum(acls.map(({ Rules }) => (Rules as unknown[]).length));
  const dashboards = ofType('AWS::CloudWatch::Dashboard').length;
  const { cloudwatch, kms, sqs, waf } = PRICES;
  return [
    { what: 'Alarms', dollars: watched * cloudwatch.alarmMetricMonth },
    { what: `KMS keys (${keys})`, dollars: keys * kms.keyMonth },
    {
      what: 'Web ACL and its rules',
      dollars: acls.length * waf.webAclMonth + rules * waf.ruleMonth,
    },
    {
      what: `Empty receives of ${queues} queues`,
      dollars: receives * ((queues - fifo) * sqs.standardRequest + fifo * sqs.fifoRequest),
    },
    { what: 'Dashboard', dollars: dashboards * cloudwatch.dashboardMonth },
  ];
};

/** Dollars a month. A metric is billed for the hours in which it is written: not in an idle month. */
export const METRICS_COST = METRICS.length * PRICES.cloudwatch.metricMonth;

/** An alarm over an expression is billed for each metric in the expression. */
export const metricsWatchedBy = ({ Metrics }: Record<string, unknown>): number =>
  Array.isArray(Metrics) ? Metrics.filter(({ MetricStat }) => MetricStat).length : 1;
