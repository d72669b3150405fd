import { METRICS } from '../../lambdas/runtime/reporting.ts';
import { limits } from '../../lib/limits.ts';
import type { TemplateResource } from '../stage-assembly.ts';
import { sum } from './item-size.ts';
import type { Measured } from './measure.ts';
import type { FunctionLog } from './metered-stage.ts';
import { PRICES } from './prices.ts';

/** A line of the bill, in dollars. */
export interface Line {
  readonly what: string;
  readonly dollars: number;
}

/** The settings of stage prod's template that the bill depends on. */
export interface StageFacts {
  readonly memoryMbOf: (functionName: string) => number;
  readonly logRetentionDays: number;
  /** Whether the delivery log has point-in-time recovery. */
  readonly recoversLog: boolean;
}

export const factsOf = (resources: readonly TemplateResource[]): StageFacts => {
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const functions = ofType('AWS::Lambda::Function').map(({ Properties }) => Properties);
  const logTable = resources.find(({ logicalId }) => logicalId.startsWith('DeliveryLog'));
  return {
    memoryMbOf: (name) =>
      Number(
        functions.find((one) => JSON.stringify(one.Environment).includes(`"${name}"`))?.MemorySize,
      ),
    logRetentionDays: Number(ofType('AWS::Logs::LogGroup')[0]?.Properties.RetentionInDays),
    recoversLog: JSON.stringify(
      logTable?.Properties.PointInTimeRecoverySpecification ?? {},
    ).includes('true'),
  };
};

/** The response time of a typical endpoint. */
export const ENDPOINT_MS = 100;
/** Two or three calls of AWS one after the other, in the function's region. */
export const AWS_CALLS_MS = 15;
/** The memory with which a function has one processor. Less memory has a share of one. */
export const PROCESSOR_MB = 1_769;

const GB = 2 ** 30;
const DAYS_OF_MONTH = 30.4;
/** DynamoDB's overhead of an item for indexing. */
const ITEM_OVERHEAD_BYTES = 100;
/** By how much CloudWatch compresses what it stores, by its own estimate. */
const LOGS_COMPRESSION = 0.15;

const storedGbMonthsOf = ({ bytes, items }: Measured['stored']): number =>
  (((bytes + items * ITEM_OVERHEAD_BYTES) / GB) * limits.deliveryLogRetentionDays) / DAYS_OF_MONTH;

/** The bill for the events of a measurement, by line. */
export const billOf = (measured: Measured, facts: StageFacts): readonly Line[] => {
  const { usages, logs, stored } = measured;
  const total = (unit: 'sqsRequests' | 'writeUnits' | 'readUnits') =>
    sum(usages.map((usage) => usage[unit]));
  const storedGbMonths = storedGbMonthsOf(stored);
  const { sqs, lambda, dynamodb } = PRICES;
  return [
    {
      what: 'SQS requests',
      dollars: total('sqsRequests') * (sqs.standardRequest + sqs.fairQueueRequest),
    },
    { what: 'Lambda requests', dollars: invocationsOf(logs) * lambda.request },
    { what: 'Lambda time', dollars: lambdaTime(logs, facts) },
    { what: 'DynamoDB writes', dollars: total('writeUnits') * dynamodb.writeUnit },
    { what: 'DynamoDB reads', dollars: total('readUnits') * dynamodb.readUnit },
    {
      what: `Delivery log, ${limits.deliveryLogRetentionDays} days`,
      dollars: storedGbMonths * dynamodb.storageGbMonth,
    },
    ...(facts.recoversLog
      ? [
          {
            what: 'Its point-in-time recovery',
            dollars: storedGbMonths * dynamodb.pointInTimeRecoveryGbMonth,
          },
        ]
      : []),
    { what: 'CloudWatch Logs', dollars: logDollars(logs, facts) },
    { what: 'Statistics of attempts', dollars: countingDollars(measured, facts) },
    { what: 'Index of the search', dollars: indexingDollars(measured) },
  ];
};

/** Of counting the attempts of a measurement, which happens apart from deliveries. */
const countingDollars = ({ counting }: Measured, facts: StageFacts): number => {
  const { usages, logs } = counting;
  const { lambda, dynamodb } = PRICES;
  return (
    sum(usages.map(({ writeUnits }) => writeUnits)) * dynamodb.writeUnit +
    invocationsOf(logs) * lambda.request +
    lambdaTime(logs, facts) +
    logDollars(logs, facts)
  );
};

/** The cost of indexing the deliveries of a measurement: what is written, and kept for 30 days. */
const indexingDollars = ({ indexing: { usages, stored } }: Measured): number =>
  sum(usages.map(({ writeUnits }) => writeUnits)) * PRICES.dynamodb.writeUnit +
  storedGbMonthsOf(stored) * PRICES.dynamodb.storageGbMonth;

export const totalOf = (lines: readonly Line[]): number => sum(lines.map(({ dollars }) => dollars));

/** CPU time as measured, on the function's share of a processor, and waiting. */
const lambdaTime = (logs: readonly FunctionLog[], facts: StageFacts): number =>
  sum(
    logs.map(({ name, invocations }) => {
      const memoryMb = facts.memoryMbOf(name);
      const waitingMs = AWS_CALLS_MS + (name.startsWith('deliver-') ? ENDPOINT_MS : 0);
      const billedMs = invocations.map(({ cpuMs }) =>
        Math.ceil(cpuMs * Math.max(1, PROCESSOR_MB / memoryMb) + waitingMs),
      );
      return (sum(billedMs) / 1_000) * (memoryMb / 1_024) * PRICES.lambda.gbSecond;
    }),
  );

const invocationsOf = (logs: readonly FunctionLog[]): number =>
  sum(logs.map(({ invocations }) => invocations.length));

const logDollars = (logs: readonly FunctionLog[], { logRetentionDays }: StageFacts): number => {
  const { logsIngestedGb, logsStoredGbMonth } = PRICES.cloudwatch;
  const gb = sum(logs.map(({ bytes }) => bytes)) / GB;
  const storedGbMonths = (gb * LOGS_COMPRESSION * logRetentionDays) / DAYS_OF_MONTH;
  return gb * logsIngestedGb + storedGbMonths * logsStoredGbMonth;
};

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

const BILLED_ROTATIONS = 2;

/** What the yearly rotations of keys have added to a month after two years. */
export const rotationsBill = (resources: readonly TemplateResource[]): number => {
  const rotated = resources.filter(
    ({ Type, Properties }) => Type === 'AWS::KMS::Key' && Properties.EnableKeyRotation === true,
  );
  return rotated.length * BILLED_ROTATIONS * PRICES.kms.rotationMonth;
};

/** Dollars a month. A metric is billed for the hours in which it is written: not in an idle month. */
export const METRICS_COST = METRICS.length * PRICES.cloudwatch.metricMonth;

/** An alarm over an expression is billed for each metric in the expression. */
const metricsWatchedBy = ({ Metrics }: Record<string, unknown>): number =>
  Array.isArray(Metrics) ? Metrics.filter(({ MetricStat }) => MetricStat).length : 1;
