import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRICES } from '../../lib/prices.ts';
import { stageNames } from '../../lib/stage-settings.ts';
import { type Json, type Properties, synthesise } from './template.ts';

const page = readFileSync('docs/operators/alarms.md', 'utf8');

/** An alarm over an expression is billed for each metric in the expression. */
const metricsOf = ({ Metrics }: Properties): number =>
  ((Metrics as Json[] | undefined) ?? [{ MetricStat: {} }]).filter(
    (metric) => (metric as Properties).MetricStat !== undefined,
  ).length;

const dollars = (metrics: number): string =>
  `$${(metrics * PRICES.cloudwatch.alarmMetricMonth).toFixed(2)}`;

describe.each(stageNames)('docs/operators/alarms.md, for %s', (stageName) => {
  const alarms = synthesise(stageName).all('AWS::CloudWatch::Alarm');
  const sum = (found: typeof alarms) =>
    found.reduce((total, { properties }) => total + metricsOf(properties), 0);

  const ofStage = (row: string): string[] => {
    const [metric = '', ...cells] = row.split('|').map((cell) => cell.trim());
    return [metric, ...(stageName === 'prod' ? cells.slice(3) : cells.slice(0, 3))];
  };

  it('has each alarm of the template with what it costs', () => {
    const rows = [...page.matchAll(/^\| `(\w+)`[^|]*(\|.*)\|$/gm)].map(([, metric, cells]) =>
      ofStage(`${metric}${cells}`),
    );
    const byMetric = Map.groupBy(alarms, ({ properties }) => String(properties.MetricName));

    expect(rows.toSorted()).toEqual(
      [...byMetric]
        .map(([metric, found]) => [metric, `${found.length}`, `${sum(found)}`, dollars(sum(found))])
        .toSorted(),
    );
  });

  it('has the sum', () => {
    const [, row = ''] = /^\| (\*\*a stage\*\* .*) \|$/m.exec(page) ?? [];

    expect(ofStage(row)).toEqual([
      '**a stage**',
      `${alarms.length}`,
      `${sum(alarms)}`,
      dollars(sum(alarms)),
    ]);
  });
});
