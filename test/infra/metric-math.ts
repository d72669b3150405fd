import type { Properties } from './template.ts';

type Value = number | undefined;

const filled = (value: Value, otherwise: number): number =>
  value === undefined || Number.isNaN(value) ? otherwise : value;

/**
 * The value of an alarm's expression in a period, from those of its metrics, by their ids; NaN where
 * CloudWatch has none. Metrics that are not given are not written.
 */
export const expressionValue = (
  { Metrics }: Properties,
  given: Readonly<Record<string, number>>,
): number => {
  const metrics = Metrics as Properties[];
  const { Expression } = metrics.find((metric) => metric.Expression !== undefined) ?? {};
  const ids = metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [String(Id)] : []));
  const values = ids.map((id) => Object.entries(given).find(([name]) => id.startsWith(name))?.[1]);
  const calculate = new Function('FILL', 'IF', 'MAX', ...ids, `return ${Expression}`);
  return calculate(
    filled,
    (condition: boolean, then: Value, otherwise: Value) => (condition ? then : otherwise),
    (all: number[]) => Math.max(...all),
    ...values,
  );
};
