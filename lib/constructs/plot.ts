import type { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IConstruct } from 'constructs';
import type { GraphName } from './dashboard/rows.ts';

/** A line of a graph of the dashboard. The dashboard finds the lines in its stack. */
export interface Plot {
  readonly graph: GraphName;
  /** The line's name in its graph. */
  readonly label: string;
  readonly metric: Metric | MathExpression;
}

/** A line that no alarm watches. `addAlarm` makes the others. */
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

/** What a queue is called in a graph: `SlowLane` is the "slow lane". */
export const labelOf = (construct: Construct): string => wordsOf(construct).join(' ');

/** What a function is called in a graph: by its folder in lambdas/. */
export const functionLabel = ({ node: { scope } }: IFunction): string =>
  scope ? wordsOf(scope).join('-') : '';

const wordsOf = ({ node: { id } }: IConstruct): readonly string[] =>
  id.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
