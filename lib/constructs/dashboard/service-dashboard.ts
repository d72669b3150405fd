import { Aws, Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  AlarmStatusWidgetSortBy,
  Dashboard,
  GraphWidget,
  type HorizontalAnnotation,
  PeriodOverride,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { ServiceParts } from '../../functions/service-parts.ts';
import { type Plot, PlottedAlarm, PlottedMetric } from '../monitoring.ts';
import { ROWS } from './rows.ts';
import { servicePlots } from './service-plots.ts';

const FULL_WIDTH = 24;
const TEXT_HEIGHT = 2;
const GRAPH_HEIGHT = 6;

/**
 * One page for the engineer on call: the alarms, then each metric that an alarm watches, with the
 * alarm's threshold, beside the metrics that explain it. Alarms and plots name their graph.
 */
export class ServiceDashboard extends Construct {
  readonly url: string;

  /** Create it last: it shows the alarms and plots that are in the stack by then. */
  constructor(scope: Construct, id: string, { parts }: { parts: ServiceParts }) {
    super(scope, id);
    const name = `integrations-${parts.settings.stage}`;
    const { directory, integrations, changes, keyPairs } = parts.state;
    const { pendingEvents, deliveryLog, statistics, deliveryIndex } = parts.state;
    const ofEvents = [integrations, pendingEvents, deliveryLog, statistics, deliveryIndex];
    const tables = [directory, ...ofEvents, changes, keyPairs];
    const all = Stack.of(this).node.findAll();
    const alarms = all.filter((found) => found instanceof PlottedAlarm);
    const plots = [
      ...alarms,
      ...all.filter((found) => found instanceof PlottedMetric),
      ...servicePlots(parts.settings.stage, tables),
    ];
    // Dashboards are of an account, not of a region: a second region has one beside this.
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: `${name}-${Aws.REGION}`,
      defaultInterval: Duration.hours(12),
      // With longer periods, sums would rise above thresholds that they never reached.
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        [heading(name)],
        [alarmStatus(alarms)],
        ...ROWS.flatMap((row) => rowOf(row, plots)),
      ],
    });
    this.url = `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards:name=${dashboard.dashboardName}`;
  }
}

const text = (markdown: string): TextWidget =>
  new TextWidget({ markdown, width: FULL_WIDTH, height: TEXT_HEIGHT });

const heading = (name: string): TextWidget =>
  text(
    `# ${name}\nBegin with the red alarms: each names its section of docs/operators/on-call.md. Then read the rows from top to bottom. Dotted lines are the thresholds of alarms. Saved queries of Logs Insights are in the folder \`${name}\`.`,
  );

/** The latest change first. */
const alarmStatus = (alarms: readonly PlottedAlarm[]): AlarmStatusWidget =>
  new AlarmStatusWidget({
    title: 'Alarms',
    alarms: [...alarms],
    sortBy: AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP,
    width: FULL_WIDTH,
    height: GRAPH_HEIGHT,
  });

const rowOf = (row: (typeof ROWS)[number], plots: readonly (Plot | PlottedAlarm)[]) => {
  const sections = row.sections
    .map((section) => `docs/operators/on-call.md#${section}`)
    .join(' · ');
  // A stage without a web ACL has no requests that it blocks, and one without versions no releases.
  const graphs = row.graphs
    .map((graph) => ({ graph, lines: plots.filter((plot) => plot.graph === graph.name) }))
    .filter(({ lines }) => lines.length > 0);
  if (graphs.length === 0) return [];
  return [
    [text(`## ${row.title}\n${row.advice} ${sections}`)],
    graphs.map(
      ({ graph, lines }) =>
        new GraphWidget({
          title: graph.title,
          left: lines.map(({ metric, label }) => metric.with({ label })),
          leftAnnotations: thresholdsOf(lines),
          leftYAxis: axis(graph.unit),
          stacked: 'isStacked' in graph,
          width: FULL_WIDTH / graphs.length,
          height: GRAPH_HEIGHT,
        }),
    ),
  ];
};

const axis = (label: string) => ({ label, min: 0, showUnits: false });

/** Each threshold once, with the lines that it is for, unless it is for all. */
const thresholdsOf = (lines: readonly Plot[]): HorizontalAnnotation[] => {
  const alarms = lines.filter((found) => found instanceof PlottedAlarm);
  const byThreshold = Map.groupBy(alarms, ({ threshold }) => threshold);
  return [...byThreshold].map(([value, watched]) => ({
    value,
    label:
      byThreshold.size === 1 ? 'alarm' : `alarm: ${watched.map(({ label }) => label).join(', ')}`,
  }));
};
