import { Aws, Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  AlarmStatusWidgetSortBy,
  Dashboard,
  GraphWidget,
  type HorizontalAnnotation,
  type IWidget,
  PeriodOverride,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { ServiceParts } from '../../functions/service-parts.ts';
import { AS_OF, REGION } from '../../prices.ts';
import { type Plot, PlottedAlarm, PlottedMetric } from '../monitoring.ts';
import { ServiceFunction } from '../service-function.ts';
import { type Consumers, costLines, costSum } from './cost-lines.ts';
import { ROWS } from './rows.ts';
import { ServicePlots } from './service-plots.ts';

const FULL_WIDTH = 24;
const TEXT_HEIGHT = 2;
const GRAPH_HEIGHT = 6;

/**
 * One page for the engineer on call: the alarms, then each metric that an alarm watches, with the
 * alarm's threshold, beside the metrics that explain it. Alarms and plots name their graph.
 */
export class ServiceDashboard extends Construct {
  readonly url: string;
  readonly #parts: ServiceParts;

  /** Create it last: it shows the alarms and plots that are in the stack by then. */
  constructor(scope: Construct, id: string, { parts }: { parts: ServiceParts }) {
    super(scope, id);
    this.#parts = parts;
    const { directory, integrations, changes, keyPairs } = parts.state;
    const { pendingEvents, deliveryLog, statistics, deliveryIndex } = parts.state;
    const ofEvents = [integrations, pendingEvents, deliveryLog, statistics, deliveryIndex];
    const tables = [directory, ...ofEvents, changes, keyPairs];
    new ServicePlots(this, 'Service', { stage: parts.settings.stage, tables });
    const all = Stack.of(this).node.findAll();
    const alarms = all.filter((found) => found instanceof PlottedAlarm);
    const plots = [...alarms, ...all.filter((found) => found instanceof PlottedMetric)];
    const functions = all.filter((found) => found instanceof ServiceFunction);
    // Dashboards are of an account, not of a region: a second region has one beside this.
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: `${this.#name}-${Aws.REGION}`,
      defaultInterval: Duration.hours(12),
      // With longer periods, sums would rise above thresholds that they never reached.
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        [this.#heading()],
        [alarmStatus(alarms)],
        ...ROWS.flatMap((row) => rowOf(row, plots)),
        ...this.#costRow({ functions, tables }),
      ],
    });
    this.url = `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards:name=${dashboard.dashboardName}`;
  }

  get #name(): string {
    return `integrations-${this.#parts.settings.stage}`;
  }

  #heading(): IWidget {
    return text(
      `# ${this.#name}\nBegin with the red alarms: each names its section of docs/operators/on-call.md. Then read the rows from top to bottom. Dotted lines are the thresholds of alarms. Saved queries of Logs Insights are in the folder \`${this.#name}\`.`,
    );
  }

  #costRow(found: Pick<Consumers, 'functions' | 'tables'>): readonly IWidget[][] {
    const { settings, events, deliveries, slowLane, replays, notices, retries } = this.#parts;
    const ofEachStage = [events, deliveries, slowLane, replays, retries];
    const queues = notices ? [...ofEachStage, notices] : ofEachStage;
    const lines = costLines({
      ...found,
      stage: settings.stage,
      queues: queues.map(({ queue }) => queue),
      queueFunctions: found.functions.filter(({ lambda }) =>
        queues.some(({ consumer }) => consumer === lambda),
      ),
    });
    const advice = `Usage by events and requests, at the list prices of ${REGION} of ${AS_OF}. Not included: storage, traffic, KMS, and the cost of an idle stage (docs/operators/costs.md).`;
    return [
      [text(`## What does it cost?\n${advice}`)],
      [
        new GraphWidget({
          title: 'Dollars an hour',
          left: [...lines],
          stacked: true,
          leftYAxis: axis('dollars'),
          width: 18,
          height: GRAPH_HEIGHT,
        }),
        new SingleValueWidget({
          title: 'Dollars in the time shown',
          metrics: [costSum(lines)],
          setPeriodToTimeRange: true,
          width: 6,
          height: GRAPH_HEIGHT,
        }),
      ],
    ];
  }
}

const text = (markdown: string): TextWidget =>
  new TextWidget({ markdown, width: FULL_WIDTH, height: TEXT_HEIGHT });

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
