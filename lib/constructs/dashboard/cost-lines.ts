import { Duration } from 'aws-cdk-lib';
import {
  type IMetric,
  MathExpression,
  Metric,
  type MetricOptions,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { PRICES } from '../../prices.ts';
import type { StageName } from '../../stage-settings.ts';
import type { ServiceFunction } from '../service-function.ts';
import { apiMetric } from '../stage-metrics.ts';

/** The parts of the service that AWS bills by use. */
export interface Consumers {
  readonly stage: StageName;
  readonly functions: readonly ServiceFunction[];
  /** The functions of queues, whose pollers make calls of SQS. */
  readonly queueFunctions: readonly ServiceFunction[];
  readonly queues: readonly IQueue[];
  readonly tables: readonly ITable[];
}

const HOUR: MetricOptions = { period: Duration.hours(1), statistic: 'Sum' };
const BYTES_OF_GB = 2 ** 30;
const MB_OF_GB = 1_024;
const MS_OF_SECOND = 1_000;

/**
 * Dollars an hour for use, at list prices. Each line is one SUM of one unit: `+` has no value for an
 * hour in which one side has none.
 */
export const costLines = (used: Consumers): readonly MathExpression[] =>
  [...sqsUnits(used), ...lambdaUnits(used), ...tableUnits(used), ...otherUnits(used)].map(lineOf);

/** All lines together. */
export const costSum = (lines: readonly MathExpression[]): MathExpression => {
  const named = namesOf('cost', lines);
  return new MathExpression({
    label: 'dollars',
    expression: sumOf(named),
    usingMetrics: named,
    period: HOUR.period,
  });
};

/** Metrics of the same unit, and the price of the unit. */
interface Units {
  readonly label: string;
  readonly metrics: readonly IMetric[];
  readonly price: number;
}

const sqsUnits = ({ queues, queueFunctions }: Consumers): readonly Units[] => {
  const price = PRICES.sqs.standardRequest + PRICES.sqs.fairQueueRequest;
  return [
    {
      // A request can send ten messages.
      label: 'SQS, sent, at most',
      metrics: queues.map((queue) => queue.metricNumberOfMessagesSent(HOUR)),
      price,
    },
    {
      // A receive and a delete.
      label: 'SQS, batches',
      metrics: queueFunctions.map(({ lambda }) => lambda.metricInvocations(HOUR)),
      price: 2 * price,
    },
    {
      label: 'SQS, empty receives',
      metrics: queues.map((queue) => queue.metricNumberOfEmptyReceives(HOUR)),
      price,
    },
  ];
};

const lambdaUnits = ({ functions }: Consumers): readonly Units[] => [
  {
    label: 'Lambda, requests',
    metrics: functions.map(({ lambda }) => lambda.metricInvocations(HOUR)),
    price: PRICES.lambda.request,
  },
  ...[...Map.groupBy(functions, ({ memoryMb }) => memoryMb)].map(([memoryMb, alike]) => ({
    label: `Lambda, time with ${memoryMb} MB`,
    metrics: alike.map(({ lambda }) => lambda.metricDuration(HOUR)),
    price: (PRICES.lambda.gbSecond * (memoryMb / MB_OF_GB)) / MS_OF_SECOND,
  })),
];

const tableUnits = ({ tables }: Consumers): readonly Units[] => [
  {
    label: 'DynamoDB, written',
    metrics: tables.map((table) => table.metricConsumedWriteCapacityUnits(HOUR)),
    price: PRICES.dynamodb.writeUnit,
  },
  {
    label: 'DynamoDB, read',
    metrics: tables.map((table) => table.metricConsumedReadCapacityUnits(HOUR)),
    price: PRICES.dynamodb.readUnit,
  },
];

const otherUnits = ({ stage, functions }: Consumers): readonly Units[] => [
  {
    label: 'logs of functions',
    metrics: functions.map(({ lambda }) => writtenTo(lambda.logGroup.logGroupName)),
    price: PRICES.cloudwatch.logsIngestedGb / BYTES_OF_GB,
  },
  {
    label: 'API and WAF',
    metrics: [apiMetric(stage, 'Count', 'Sum', HOUR.period)],
    price: PRICES.apiGateway.request + PRICES.waf.request,
  },
];

const writtenTo = (LogGroupName: string): Metric =>
  new Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingBytes',
    dimensionsMap: { LogGroupName },
    ...HOUR,
  });

const lineOf = ({ label, metrics, price }: Units): MathExpression => {
  const named = namesOf(label.toLowerCase().replaceAll(/\W+/g, '_'), metrics);
  return new MathExpression({
    label,
    expression: `${sumOf(named)} * ${decimal(1e6 * price)} / 1000000`,
    usingMetrics: named,
    period: HOUR.period,
  });
};

/** A graph has each name once. */
const namesOf = (name: string, metrics: readonly IMetric[]): Readonly<Record<string, IMetric>> =>
  Object.fromEntries(metrics.map((metric, index) => [`${name}_${index}`, metric]));

/** Leaves out the metrics that have no value in an hour. */
const sumOf = (named: Readonly<Record<string, IMetric>>): string =>
  `SUM([${Object.keys(named).join(', ')}])`;

/** Metric math reads decimals: no exponent, and no digits that come of binary fractions. */
const decimal = (value: number): string => value.toFixed(12).replace(/\.?0+$/, '');
