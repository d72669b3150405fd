import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COUNTERS, createMetrics } from '../../lambdas/runtime/reporting.ts';
import { stageNames } from '../../lib/stage-settings.ts';
import { dashboardOf, type Widget } from './dashboard-body.ts';
import { type Properties, synthesise, synthesiseWithMail, watchedMetric } from './template.ts';

const stage = synthesiseWithMail('prod');
const widgets = dashboardOf(stage);
const graphs = widgets.filter(({ type }) => type === 'metric');
const alarms = stage.all('AWS::CloudWatch::Alarm');

const onCall = readFileSync('docs/operators/on-call.md', 'utf8');
const anchors = [...onCall.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
);

/** What the services write, by their documentation. */
const METRICS_OF_AWS: Readonly<Record<string, readonly string[]>> = {
  'AWS/ApiGateway': ['4XXError', '5XXError', 'Count', 'Latency'],
  'AWS/DynamoDB': ['ReadThrottleEvents', 'WriteThrottleEvents'],
  'AWS/Lambda': ['ConcurrentExecutions', 'Errors', 'Invocations', 'IteratorAge', 'Throttles'],
  'AWS/SQS': [
    'ApproximateAgeOfOldestMessage',
    'ApproximateNumberOfMessagesNotVisible',
    'ApproximateNumberOfMessagesVisible',
    'NumberOfMessagesDeleted',
    'NumberOfMessagesSent',
  ],
  'AWS/Scheduler': ['InvocationDroppedCount', 'TargetErrorCount'],
  'AWS/WAFV2': ['BlockedRequests'],
  // Of the access log.
  'Integrations/prod': ['FailedWrites'],
};

const namesIn = (namespace: string) =>
  [
    ...new Set(
      graphs.flatMap(({ metrics }) =>
        metrics.filter((metric) => metric.namespace === namespace).map(({ name }) => name),
      ),
    ),
  ].toSorted();

const textOf = (value: unknown) => stage.pathOrText(value as string);

const dimensionsOf = ({ Dimensions }: Properties): Record<string, string> =>
  Object.fromEntries(
    ((Dimensions ?? []) as Properties[]).map(({ Name, Value }) => [Name, textOf(Value)]),
  );

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a stage', () => {
  const counts = stageNames.map((name) => [
    name,
    synthesise(name).all('AWS::CloudWatch::Dashboard').length,
  ]);

  it('has the dashboard that it pays for', () => {
    expect(Object.fromEntries(counts)).toEqual({ local: 0, dev: 0, prod: 1 });
  });

  it('says where its dashboard is', () => {
    expect(stage.outputValues('DashboardUrl').map(textOf)).toEqual([
      'https://<AWS::Region>.console.aws.amazon.com/cloudwatch/home?region=<AWS::Region>#dashboards:name=Monitoring/Dashboard',
    ]);
  });
});

describe('the dashboard', () => {
  it('draws each alarm’s metric as the alarm reads it, and the threshold', () => {
    const drawn = (alarm: Properties, watched = watchedMetric(alarm)) =>
      graphs.some(
        ({ metrics, thresholds }) =>
          thresholds.includes(Number(alarm.Threshold)) &&
          metrics.some(
            ({ namespace, name, dimensions, statistic, period }) =>
              namespace === watched.Namespace &&
              name === watched.MetricName &&
              JSON.stringify(Object.entries(dimensions).toSorted()) ===
                JSON.stringify(Object.entries(dimensionsOf(watched)).toSorted()) &&
              statistic === (watched.Statistic ?? watched.ExtendedStatistic) &&
              period === watched.Period,
          ),
      );

    expect(alarms.filter(({ properties }) => !drawn(properties)).map(({ path }) => path)).toEqual(
      [],
    );
    expect(alarms.length).toBeGreaterThan(0);
  });

  it('shows the state of each alarm', () => {
    const shown = widgets.flatMap((widget) => widget.alarms);

    expect(shown.toSorted()).toEqual(alarms.map(({ path }) => path).toSorted());
  });

  it('draws every metric of ours as the functions write it, and no other', () => {
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    const written = createMetrics('prod');
    for (const name of COUNTERS) written.count(name);
    written.canaryLatency({ milliseconds: 1 });
    written.flush();

    const { _aws, ...values } = JSON.parse(lines.at(-1) ?? '');
    const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics;
    const dimensions = Object.fromEntries(
      Dimensions[0].map((dimension: string) => [dimension, values[dimension]]),
    );
    expect(namesIn(Namespace)).toEqual(
      Metrics.map(({ Name }: { Name: string }) => Name).toSorted(),
    );
    const ours = graphs.flatMap(({ metrics }) =>
      metrics.filter(
        ({ dimensions: of, namespace }) => namespace === Namespace && !('version' in of),
      ),
    );
    expect(ours.map((metric) => metric.dimensions)).toEqual(ours.map(() => dimensions));
  });

  it('draws metrics that AWS writes', () => {
    const namespaces = new Set(
      graphs.flatMap(({ metrics }) => metrics.map(({ namespace }) => namespace)),
    );

    expect(
      Object.fromEntries(
        [...namespaces]
          .filter((namespace) => namespace !== 'Integrations')
          .map((namespace) => [namespace, namesIn(namespace)]),
      ),
    ).toEqual(METRICS_OF_AWS);
  });

  it('has a line in every graph, and rows that fill its width', () => {
    expect(graphs.filter(({ metrics }) => metrics.length === 0)).toEqual([]);
    const rows = Map.groupBy(widgets, (_, at) => widgets.slice(0, at + 1).filter(isFirst).length);
    expect([...rows.values()].map((row) => row.reduce((sum, { width }) => sum + width, 0))).toEqual(
      [...rows].map(() => 24),
    );
  });

  it('has a question above each row, and names sections of on-call.md', () => {
    const texts = widgets.map(({ markdown }) => markdown).filter((text) => text !== '');
    const named = texts.flatMap((text) =>
      [...text.matchAll(/docs\/operators\/on-call\.md#([a-z-]+)/g)].map(
        ([, anchor = '']) => anchor,
      ),
    );

    expect(texts.slice(1).every((text) => /^## .+\?\n/.test(text))).toBe(true);
    expect(named.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
    expect(named.length).toBeGreaterThan(texts.length);
  });

  it('stays within what CloudWatch draws', () => {
    const counts = graphs.map(({ metrics, expressions }) => metrics.length + expressions.length);

    expect(Math.max(...counts)).toBeLessThanOrEqual(500);
    expect(counts.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(2_500);
  });
});

const isFirst = ({ x }: Widget): boolean => x === 0;
