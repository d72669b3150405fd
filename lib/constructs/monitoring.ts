import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Alarm,
  CfnAlarm,
  ComparisonOperator,
  type MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import type { GraphName } from './dashboard/rows.ts';

/** A line of a graph of the dashboard. The dashboard finds the lines in its stack. */
export interface Plot {
  readonly graph: GraphName;
  /** The line's name in its graph. */
  readonly label: string;
  readonly metric: Metric | MathExpression;
}

/** A line that no alarm watches. */
export class PlottedMetric extends Construct implements Plot {
  readonly graph: GraphName;
  readonly label: string;
  readonly metric: Metric | MathExpression;

  constructor(scope: Construct, id: string, { graph, label, metric }: Plot) {
    super(scope, id);
    this.graph = graph;
    this.label = label;
    this.metric = metric;
  }
}

interface PlottedAlarmProps extends Plot {
  /** The lowest value that raises the alarm. */
  readonly threshold: number;
  /** How many periods of the metric must reach the threshold, one after the other; 1 by default. */
  readonly periods?: number;
  /** Among how many periods they may lie; `periods` by default. */
  readonly ofPeriods?: number;
  /** For a percentile: periods with few samples change nothing. For the 90th, few is below 100. */
  readonly needsManySamples?: boolean;
  /** Whether the alarm is raised when the metric is not written. */
  readonly isRaisedWithoutData?: boolean;
  /** The effect on customers or callers. */
  readonly meaning: string;
  /** Anchor of a heading in docs/operators/on-call.md. */
  readonly runbookSection: string;
}

/** An alarm. The dashboard draws its metric and its threshold. */
export class PlottedAlarm extends Alarm implements Plot {
  readonly graph: GraphName;
  readonly label: string;
  override readonly metric: Metric | MathExpression;
  readonly threshold: number;

  constructor(scope: Construct, id: string, props: PlottedAlarmProps) {
    super(scope, id, {
      metric: props.metric,
      threshold: props.threshold,
      alarmDescription: `${props.meaning} See docs/operators/on-call.md#${props.runbookSection}.`,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: props.ofPeriods ?? props.periods ?? 1,
      ...(props.ofPeriods !== undefined && { datapointsToAlarm: props.periods ?? 1 }),
      ...(props.needsManySamples && { evaluateLowSampleCountPercentile: 'ignore' }),
      treatMissingData: props.isRaisedWithoutData
        ? TreatMissingData.BREACHING
        : TreatMissingData.NOT_BREACHING,
    });
    this.graph = props.graph;
    this.label = props.label;
    this.metric = props.metric;
    this.threshold = props.threshold;
  }
}

const alarmsIn = ({ node }: IConstruct): PlottedAlarm[] =>
  node.findAll().filter((found) => found instanceof PlottedAlarm);

/** Removes all alarms, for a stage that has none. */
export const removeAlarms = (scope: IConstruct): void => {
  for (const { node } of alarmsIn(scope)) node.scope?.node.tryRemoveChild(node.id);
};

/**
 * Names the alarms of a stack by what is wrong, such as `<stack>-events-late`, but those of versions,
 * of which two are there during a release. With an address of the runbook they lead to it.
 */
export const nameAlarms = (stack: Stack, runbookUrl: string | undefined): void => {
  for (const { node } of alarmsIn(stack)) {
    const { defaultChild: alarm, id } = node;
    if (!(alarm instanceof CfnAlarm)) continue;
    const [part = ''] = node.path.split('/').slice(1);
    const words = [part, id].map((name) => name.replace(/Alarms?$/, '')).join('');
    if (id !== 'NewVersionErrors') alarm.alarmName = `${stack.stackName}${kebab(words)}`;
    if (runbookUrl === undefined) continue;
    alarm.alarmDescription = alarm.alarmDescription?.replace(
      /docs\S+(#[\w-]+)\.$/,
      `${runbookUrl}$1`,
    );
  }
};

const kebab = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const alarmOnDeadLetters = (
  scope: Construct,
  queue: IQueue,
  alarm: Pick<PlottedAlarmProps, 'label' | 'meaning' | 'runbookSection'>,
): void => {
  new PlottedAlarm(scope, 'DeadLetterAlarm', {
    graph: 'dead-letters',
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: 'Maximum',
    }),
    threshold: 1,
    ...alarm,
  });
};

/**
 * The alarms on a function that reads a queue or a stream. Records that fail are not errors of the
 * function; crashes and timeouts are. `retried`: how Lambda retries its batches.
 */
export const alarmOnConsumer = (scope: Construct, consumer: IFunction, retried: string): void => {
  const label = functionLabel(consumer);
  const watched = { period: Duration.minutes(5), statistic: 'Sum' };
  new PlottedAlarm(scope, 'ErrorsAlarm', {
    graph: 'errors',
    label,
    metric: consumer.metricErrors(watched),
    threshold: 1,
    meaning: `${consumer.node.path} crashes or times out. Its batches are retried ${retried}.`,
    runbookSection: 'function-errors',
  });
  new PlottedAlarm(scope, 'ThrottlesAlarm', {
    graph: 'throttles',
    label,
    metric: consumer.metricThrottles(watched),
    threshold: 1,
    periods: 3,
    meaning: `${consumer.node.path} is throttled, because no concurrency is left. Its batches wait.`,
    runbookSection: 'function-throttles',
  });
};

/** The label of a queue or table in a graph: `SlowLane` is the "slow lane". */
export const labelOf = (construct: IConstruct): string => wordsOf(construct).join(' ');

/** The label of a function in a graph: its name. */
export const functionLabel = ({ node: { scope } }: IFunction): string =>
  scope ? wordsOf(scope).join('-') : '';

const wordsOf = ({ node: { id } }: IConstruct): readonly string[] =>
  id.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
