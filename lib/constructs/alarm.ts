import {
  Alarm,
  ComparisonOperator,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

interface AlarmWishes {
  readonly metric: Metric;
  /** The lowest value that raises the alarm. */
  readonly threshold: number;
  /** How many periods of the metric must reach the threshold, one after the other; 1 by default. */
  readonly periods?: number;
  /** For a percentile: periods with few samples change nothing. For the 90th, few is below 100. */
  readonly needsManySamples?: boolean;
  /** What is wrong for people, as one sentence. */
  readonly meaning: string;
  /** Anchor of a heading in docs/runbook.md. */
  readonly runbookSection: string;
}

export const addAlarm = (scope: Construct, id: string, wishes: AlarmWishes): Alarm =>
  new Alarm(scope, id, {
    metric: wishes.metric,
    threshold: wishes.threshold,
    alarmDescription: `${wishes.meaning} See docs/runbook.md#${wishes.runbookSection}.`,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: wishes.periods ?? 1,
    ...(wishes.needsManySamples && { evaluateLowSampleCountPercentile: 'ignore' }),
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
