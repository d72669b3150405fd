import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { labelOf, PlottedMetric } from '../plot.ts';

/** What the tables refuse, because a partition or the account has too much to do. */
export class TablePlots extends Construct {
  constructor(scope: Construct, id: string, { tables }: { tables: readonly ITable[] }) {
    super(scope, id);
    for (const table of tables) {
      this.#plotThrottles(table, 'ReadThrottleEvents', 'reads');
      this.#plotThrottles(table, 'WriteThrottleEvents', 'writes');
    }
  }

  #plotThrottles(table: ITable, metricName: string, what: string): void {
    new PlottedMetric(this, `${table.node.id}${metricName}`, {
      graph: 'table-throttles',
      label: `${labelOf(table)}, ${what}`,
      metric: table.metric(metricName, { period: Duration.minutes(1), statistic: 'Sum' }),
    });
  }
}
