import type { SynthesisedStage } from './template.ts';

interface DrawnMetric {
  readonly namespace: string;
  readonly name: string;
  /** Name and value, a resource by its path. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly id: string | undefined;
  readonly statistic: string;
  readonly period: number;
}

interface Expression {
  readonly label: string;
  readonly expression: string;
}

export interface Widget {
  readonly type: 'text' | 'alarm' | 'metric';
  readonly title: string;
  readonly x: number;
  readonly width: number;
  readonly markdown: string;
  readonly alarms: readonly string[];
  readonly metrics: readonly DrawnMetric[];
  readonly expressions: readonly Expression[];
  readonly thresholds: readonly number[];
}

type Options = Partial<Record<'id' | 'label' | 'expression' | 'stat', string>> & {
  readonly period?: number;
};

interface Written {
  readonly type: Widget['type'];
  readonly x: number;
  readonly width: number;
  readonly properties: {
    readonly title?: string;
    readonly markdown?: string;
    readonly alarms?: readonly string[];
    readonly metrics?: readonly (readonly (string | Options)[])[];
    readonly annotations?: { readonly horizontal?: readonly { readonly value: number }[] };
  };
}

/** The widgets of a stage's one dashboard, from the text that CloudWatch gets. */
export const dashboardOf = (stage: SynthesisedStage): readonly Widget[] => {
  const [dashboard, ...others] = stage.all('AWS::CloudWatch::Dashboard');
  if (!dashboard || others.length > 0) throw new Error('The stage has not one dashboard.');
  const body: { widgets: readonly Written[] } = JSON.parse(
    stage.pathOrText(dashboard.properties.DashboardBody),
  );
  return body.widgets.map(widgetOf);
};

const widgetOf = ({ type, x, width, properties }: Written): Widget => {
  const { title = '', markdown = '', alarms = [], metrics = [], annotations } = properties;
  const lines = metrics.map((parts) => ({
    texts: parts.filter((part) => typeof part === 'string'),
    options: parts.find((part) => typeof part !== 'string') ?? {},
  }));
  return {
    ...{ type, title, x, width, markdown, alarms },
    metrics: lines.filter(({ texts }) => texts.length > 0).map(metricOf),
    expressions: lines.flatMap(({ options: { label = '', expression } }) =>
      expression === undefined ? [] : [{ label, expression }],
    ),
    thresholds: (annotations?.horizontal ?? []).map(({ value }) => value),
  };
};

/** As CloudWatch reads a line: namespace, name, and the dimensions one after the other. */
const metricOf = ({ texts, options }: { texts: string[]; options: Options }): DrawnMetric => {
  const [namespace = '', name = '', ...dimensions] = texts;
  return {
    namespace,
    name,
    dimensions: Object.fromEntries(
      dimensions.flatMap((key, at) => (at % 2 === 0 ? [[key, dimensions[at + 1] ?? '']] : [])),
    ),
    id: options.id,
    statistic: options.stat ?? 'Average',
    period: options.period ?? 300,
  };
};
