import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct, IConstruct } from 'constructs';
import type { GraphName } from './dashboard/rows.ts';
import type { Plot } from './plot.ts';

interface AlarmWishes extends Plot {
  readonly metric: Metric;
  /** The lowest value that raises the alarm. */
  readonly threshold: number;
  /** How many periods of the metric must reach the threshold, one after the other; 1 by default. */
  readonly periods?: number;
  /** For a percentile: periods with few samples change nothing. For the 90th, few is below 100. */
  readonly needsManySamples?: boolean;
  /** The effect on customers or callers. */
  readonly meaning: string;
  /** Anchor of a heading in docs/operators/on-call.md. */
  readonly runbookSection: string;
}

/** An alarm whose metric and threshold the dashboard draws. */
export class PlottedAlarm extends Alarm implements Plot {
  readonly graph: GraphName;
  readonly label: string;
  override readonly metric: Metric;
  readonly threshold: number;

  constructor(scope: Construct, id: string, { graph, label, ...props }: PlottedAlarmProps) {
    super(scope, id, props);
    this.graph = graph;
    this.label = label;
    this.metric = props.metric;
    this.threshold = props.threshold;
  }
}

type PlottedAlarmProps = AlarmProps & Pick<AlarmWishes, 'graph' | 'label' | 'metric'>;

/** An alarm, and its line and threshold in a graph of the dashboard. */
export const addAlarm = (scope: Construct, id: string, wishes: AlarmWishes): PlottedAlarm =>
  new PlottedAlarm(scope, id, {
    graph: wishes.graph,
    label: wishes.label,
    metric: wishes.metric,
    threshold: wishes.threshold,
    alarmDescription: `${wishes.meaning} See docs/operators/on-call.md#${wishes.runbookSection}.`,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: wishes.periods ?? 1,
    ...(wishes.needsManySamples && { evaluateLowSampleCountPercentile: 'ignore' }),
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });

/** Removes all alarms, for a stage that has none. */
export const removeAlarms = (scope: IConstruct): void => {
  const alarms = scope.node.findAll().filter((found) => found instanceof PlottedAlarm);
  for (const { node } of alarms) node.scope?.node.tryRemoveChild(node.id);
};
