import { Aws, Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  AlarmStatusWidgetSortBy,
  Dashboard,
  GraphWidget,
  PeriodOverride,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { createAlarm, type Line, ON_CALL, sectionOf } from './line.ts';
import { type Graphs, rowsOf, type Watched } from './rows.ts';

const FULL_WIDTH = 24;
const TEXT_HEIGHT = 2;
const GRAPH_HEIGHT = 6;

/** The alarms of a stage that has them, and its dashboard. Create it after the functions. */
export class Monitoring extends Construct {
  /** The address of the dashboard. */
  readonly url: string | undefined;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { alarms: hasAlarms, dashboard, runbookUrl, stage } = watched.parts.settings;
    this.alarms = [];
    if (!hasAlarms) return;
    const rows = rowsOf(watched);
    const lines = Object.values(rows).flatMap((graphs) => Object.values(graphs).flat());
    this.alarms = lines.flatMap(({ alarm, made, metric }) =>
      alarm ? [made ?? createAlarm(this, alarm, { metric, runbookUrl })] : [],
    );
    if (dashboard) this.url = this.#draw(`integrations-${stage}`, rows);
  }

  #draw(name: string, rows: ReturnType<typeof rowsOf>): string {
    const heading = `# ${name}\nBegin with the red alarms: each names its section of ${ON_CALL}. Then read the rows from top to bottom. Dotted lines are the thresholds of alarms. Saved queries of Logs Insights are in the folder \`${name}\`.`;
    // Dashboards are of an account, not of a region: a second region has one beside this.
    const { dashboardName } = new Dashboard(this, 'Dashboard', {
      dashboardName: `${name}-${Aws.REGION}`,
      defaultInterval: Duration.hours(12),
      // With longer periods, sums would rise above thresholds that they never reached.
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        [text(heading)],
        [
          new AlarmStatusWidget({
            title: 'Alarms',
            alarms: [...this.alarms],
            sortBy: AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP, // the latest change first
            width: FULL_WIDTH,
            height: GRAPH_HEIGHT,
          }),
        ],
        ...Object.entries(rows).flatMap(widgetsOf),
      ],
    });
    return `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards:name=${dashboardName}`;
  }
}

const text = (markdown: string): TextWidget =>
  new TextWidget({ markdown, width: FULL_WIDTH, height: TEXT_HEIGHT });

/** Graphs without lines are left out: a stage without a web ACL has no requests that it blocks. */
const widgetsOf = ([title, graphs]: readonly [string, Graphs]) => {
  const drawn = Object.entries(graphs).filter(([, lines]) => lines.length > 0);
  if (drawn.length === 0) return [];
  const alarms = drawn.flatMap(([, lines]) => lines.flatMap(({ alarm }) => alarm ?? []));
  const links = new Set(alarms.map((alarm) => `${ON_CALL}#${sectionOf(alarm)}`));
  return [
    [text(`## ${title}\n${[...links].join(' · ')}`)],
    drawn.map(
      ([of, lines]) =>
        new GraphWidget({
          title: of,
          left: lines.map(({ metric, label }) => metric.with({ label })),
          leftAnnotations: thresholdsOf(lines),
          leftYAxis: { min: 0, showUnits: false },
          width: FULL_WIDTH / drawn.length,
          height: GRAPH_HEIGHT,
        }),
    ),
  ];
};

/** Each threshold once, with the lines that it is for, unless it is for all. */
const thresholdsOf = (lines: readonly Line[]) => {
  const by = Map.groupBy(
    lines.filter(({ alarm }) => alarm !== undefined),
    ({ alarm }) => alarm?.threshold ?? 1,
  );
  return [...by].map(([value, watched]) => ({
    value,
    label: by.size === 1 ? 'alarm' : `alarm: ${watched.map(({ label }) => label).join(', ')}`,
  }));
};
