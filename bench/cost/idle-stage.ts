import { METRICS } from '../../lambdas/runtime/reporting.ts';
import { PRICES } from '../../lib/prices.ts';
import type { TemplateResource } from '../stage-assembly.ts';
import type { Line } from './dollars.ts';
import { sum } from './item-size.ts';

/** Lambda's pollers of a queue without messages: each waits 20 s for a message, and asks again. */
const POLLERS = 5;
const LONG_POLL_S = 20;
const SECONDS_OF_MONTH = 30.4 * 86_400;

/** What a stage costs in a month in which nothing happens, as its template has it. */
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
  const watched = sum(ofType('AWS::CloudWatch::Alarm').map(metricsOf));
  const keys = ofType('AWS::KMS::Key').length;
  const acls = ofType('AWS::WAFv2::WebACL');
  const rules = sum(acls.map(({ Rules }) => (Rules as unknown[]).length));
  const dashboards = ofType('AWS::CloudWatch::Dashboard').length;
  const { cloudwatch, kms, sqs, waf } = PRICES;
  return [
    { what: `alarms (${watched} metrics watched)`, dollars: watched * cloudwatch.alarmMetricMonth },
    { what: `keys (${keys})`, dollars: keys * kms.keyMonth },
    {
      what: `web ACL (${acls.length}) and its rules (${rules})`,
      dollars: acls.length * waf.webAclMonth + rules * waf.ruleMonth,
    },
    {
      what: `empty receives of ${queues} queues`,
      dollars: receives * ((queues - fifo) * sqs.standardRequest + fifo * sqs.fifoRequest),
    },
    { what: `dashboards (${dashboards})`, dollars: dashboards * cloudwatch.dashboardMonth },
  ];
};

/** Billed for the hours in which a metric is written: not in an idle month. */
export const METRICS_BILL: Line = {
  what: `metrics (${METRICS.length})`,
  dollars: METRICS.length * PRICES.cloudwatch.metricMonth,
};

const metricsOf = ({ Metrics }: Record<string, unknown>): number =>
  Array.isArray(Metrics) ? Metrics.filter(({ MetricStat }) => MetricStat).length : 1;
