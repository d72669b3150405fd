import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type MathExpression,
  Metric,
  type MetricOptions,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { MetricName } from '../../lambdas/runtime/reporting.ts';
import type { StageSettings } from '../stage-settings.ts';

/** A metric as the dashboard draws it, and the alarm that watches it. */
export interface Line {
  /** The line's name in its graph. */
  readonly label: string;
  readonly metric: Metric | MathExpression;
  readonly alarm?: AlarmOn;
  /** The alarm, where a construct needs it before the others are made. */
  readonly made?: Alarm;
}

export const line = (label: string, metric: Line['metric'], alarm?: AlarmOn): Line => ({
  label,
  metric,
  ...(alarm && { alarm }),
});

export interface AlarmOn {
  /** What is wrong, such as `events-late`. */
  readonly name: string;
  /** Anchor of a heading in docs/operators/on-call.md; `name` by default. */
  readonly section?: string;
  /** The effect on customers or callers. */
  readonly meaning: string;
  /** Whether somebody has to act at once; by default the next working day is soon enough. */
  readonly isUrgent?: boolean;
  /** The lowest value that raises the alarm; 1 by default. */
  readonly threshold?: number;
  /** How many periods of the metric must reach the threshold, one after the other; 1 by default. */
  readonly periods?: number;
  /** Among how many periods they may lie; `periods` by default. */
  readonly ofPeriods?: number;
  /** For a percentile: periods with few samples change nothing. For the 90th, few is below 100. */
  readonly needsManySamples?: boolean;
  /** Whether the alarm is raised when the metric is not written. */
  readonly isRaisedWithoutData?: boolean;
}

export const ON_CALL = 'docs/operators/on-call.md';

export const sectionOf = ({ name, section = name }: AlarmOn): string => section;

/** An alarm that knows whom it notifies. */
export class StageAlarm extends Alarm {
  readonly isUrgent: boolean;

  constructor(scope: Construct, id: string, props: AlarmProps & Pick<AlarmOn, 'isUrgent'>) {
    super(scope, id, props);
    this.isUrgent = props.isUrgent ?? false;
  }
}

/** The alarm gets the name of the stack and of what is wrong, unless `hasName` is false. */
export const createAlarm = (
  scope: Construct,
  on: AlarmOn,
  {
    metric,
    runbookUrl,
    hasName = true,
  }: Pick<Line, 'metric'> & Pick<StageSettings, 'runbookUrl'> & { readonly hasName?: boolean },
): StageAlarm => {
  const { name, isUrgent = false, periods = 1, ofPeriods, threshold = 1 } = on;
  const section = sectionOf(on);
  // A dot behind an address would belong to it.
  const see = runbookUrl === undefined ? `${ON_CALL}#${section}.` : `${runbookUrl}#${section}`;
  return new StageAlarm(scope, name, {
    isUrgent,
    metric,
    threshold,
    ...(hasName && { alarmName: `${Stack.of(scope).stackName}-${name}` }),
    alarmDescription: `${isUrgent ? 'Act now' : 'Act within a working day'}: ${on.meaning} See ${see}`,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: ofPeriods ?? periods,
    ...(ofPeriods !== undefined && { datapointsToAlarm: periods }),
    ...(on.needsManySamples && { evaluateLowSampleCountPercentile: 'ignore' }),
    treatMissingData: on.isRaisedWithoutData
      ? TreatMissingData.BREACHING
      : TreatMissingData.NOT_BREACHING,
  });
};

export const every = (minutes: number, statistic = 'Sum') => ({
  period: Duration.minutes(minutes),
  statistic,
});

/** A metric as `createMetrics` writes it: the sum of five minutes, unless `options` say otherwise. */
export const writtenMetric = (
  { stage }: Pick<StageSettings, 'stage'>,
  metricName: MetricName,
  options: MetricOptions = {},
): Metric =>
  new Metric({
    namespace: 'Integrations',
    metricName,
    dimensionsMap: { service: 'integrations', stage },
    ...every(5),
    ...options,
  });

export const words = (name: string, between: string): string =>
  name.replaceAll(/(?<=.)(?=[A-Z])/g, between).toLowerCase();

/** The name of a function. */
export const nameOf = ({ node }: IFunction): string => words(node.scope?.node.id ?? '', '-');
