import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LOG_QUERIES } from '../../lib/monitoring/saved-queries.ts';
import { stageNames } from '../../lib/stage-settings.ts';
import { fieldsOf } from '../support/logs/log-query-fields.ts';
import { expressionValue } from './metric-math.ts';
import { type Json, type Properties, synthesise, synthesiseWithMail } from './template.ts';

const onCall = readFileSync('docs/operators/on-call.md', 'utf8');

const anchors = [...onCall.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
);

const NAMES = ['events-late', 'slow-lane-dead-letter', 'deliveries-throttles', 'api-faults'];

/** As docs/operators/on-call.md lists them. */
const URGENT = [...(/^\*\*Act now\*\*(.+?)\n\n/ms.exec(onCall)?.[1] ?? '').matchAll(/`([\w-]+)`/g)]
  .map(([, name = '']) => name)
  .toSorted();

describe.each(stageNames)('the alarms of %s', (stageName) => {
  const stage = synthesiseWithMail(stageName);
  const all = stage.all('AWS::CloudWatch::Alarm');
  /** What stops a release is in release.test.ts. */
  const alarms = all.filter(({ path }) => !path.endsWith('/NewVersionErrors'));

  const textsOf = (alarm: Properties) =>
    (alarm.Dimensions as Properties[]).map(({ Value }) => stage.pathOrText(Value));

  const watched = (namespace: string) =>
    alarms
      .filter(({ properties }) => properties.Namespace === namespace)
      .map(
        ({ properties: of }) =>
          `${of.MetricName} ${of.Statistic ?? of.ExtendedStatistic} ${textsOf(of).join(' ')}`,
      );

  it('watch errors and throttles of each function of a queue or the stream', () => {
    const consumers = stage
      .all('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => stage.called(properties.FunctionName).path);

    expect(watched('AWS/Lambda').filter((metric) => !metric.startsWith('IteratorAge'))).toEqual(
      ['Errors', 'Throttles'].flatMap((metric) => consumers.map((path) => `${metric} Sum ${path}`)),
    );
  });

  it.each([
    ['AWS/ApiGateway', `integrations-${stageName} ${stageName}`, ['Latency p90']],
    [
      'AWS/Scheduler',
      `integrations-${stageName}`,
      ['TargetErrorCount Sum', 'InvocationDroppedCount Sum'],
    ],
    [
      'Integrations',
      `integrations ${stageName}`,
      [
        ...['RecordsFailed Sum', 'RecordsStuck Sum', 'DeliveriesNotSent Sum'],
        ...['LogWritesFailed Sum', 'NoticesNotSent Sum'],
      ],
    ],
  ])('watch what %s counts', (namespace, of, metrics) => {
    expect(watched(namespace)).toEqual(metrics.map((metric) => `${metric} ${of}`));
    expect(stage.all('AWS::ApiGateway::RestApi')[0]?.properties.Name).toBe(
      `integrations-${stageName}`,
    );
  });

  const faults = stage.at('Monitoring/api-faults');
  const raisedBy = (given: Record<string, number>) =>
    expressionValue(faults, given) >= Number(faults.Threshold);

  it.each<[raised: boolean, what: string, given: Record<string, number>]>([
    [true, 'five faults among few calls', { failed: 5, calls: 400 }],
    [false, 'four', { failed: 4, calls: 4 }],
    [false, 'five faults among a thousand calls', { failed: 5, calls: 1_000 }],
    [true, 'one of a hundred of many calls', { failed: 300, calls: 30_000 }],
    [true, 'faults in a flood that is refused', { failed: 9, calls: 90_400, refused: 90_000 }],
    [false, 'calls of throttled functions', { failed: 900, calls: 1_000, throttled: 180 }],
    [true, 'faults beside throttled ones', { failed: 910, calls: 1_000, throttled0: 900 }],
    [false, 'no calls', {}],
  ])('page is %s, for faults of the API: %s', (raised, _what, given) => {
    const functions = (faults.Metrics as Properties[]).filter(({ Id }) => /^thr/.test(String(Id)));

    expect(functions).toHaveLength(stageName === 'prod' ? 6 : 5);
    expect(raisedBy(given)).toBe(raised);
  });

  const failingWrites = stage.at('Monitoring/api-write-faults');

  it.each<[raised: boolean, what: string, given: Record<string, number>]>([
    [true, 'all of ten writes', { unwritten: 10, calls0: 10 }],
    [true, 'writes that never reach their function', { unwritten: 5 }],
    [false, 'four', { unwritten: 4, calls0: 4 }],
    [false, 'five of a hundred writes', { unwritten: 5, calls0: 60, calls1: 40 }],
    [false, 'calls of throttled functions', { unwritten: 90, calls0: 10, throttled_write: 30 }],
    [false, 'no calls', {}],
  ])('page is %s, for writes that fail among many reads: %s', (raised, _what, given) => {
    expect(expressionValue(failingWrites, given) >= Number(failingWrites.Threshold)).toBe(raised);
  });

  it('read writes that fail from the access log', () => {
    const [filter] = stage.all('AWS::Logs::MetricFilter');
    const [format] = stage
      .all('AWS::ApiGateway::Stage')
      .map(({ properties }) => (properties.AccessLogSetting as Properties).Format);
    const { method, status } = JSON.parse(String(format));

    expect([method, status]).toEqual(['$context.httpMethod', '$context.status']);
    expect(filter?.properties).toMatchObject({
      FilterPattern: '{ ($.method != "GET") && ($.status = "5*") }',
      MetricTransformations: [
        {
          MetricName: 'FailedWrites',
          MetricNamespace: `Integrations/${stageName}`,
          MetricValue: '1',
        },
      ],
    });
    expect(stage.pathOf(filter?.properties.LogGroupName)).toMatch(/AccessLog$/);
  });

  it('have names of their own, with the prefix that `stage verify` reads', () => {
    const names = all.flatMap(({ properties }) => properties.AlarmName ?? []);

    expect(names).toEqual(
      expect.arrayContaining(NAMES.map((name) => `integrations-${stageName}-service-${name}`)),
    );
    expect(new Set(names).size).toBe(alarms.length);
  });

  it('wake somebody for what is late or lost for many customers', () => {
    const urgent = alarms.filter(({ properties }) =>
      String(properties.AlarmDescription).startsWith('Act now: '),
    );

    expect(urgent.map(({ path }) => path.split('/').at(-1)).toSorted()).toEqual(
      URGENT.filter((name) => name !== 'canary-late' || stageName === 'prod'),
    );
  });

  it('each name a section of docs/operators/on-call.md', () => {
    const named = all.map(
      ({ properties }) =>
        /docs\/operators\/on-call\.md#([a-z-]+)\.$/.exec(
          String(properties.AlarmDescription),
        )?.[1] ?? '',
    );

    expect(named.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });
});

it('an alarm links its section of the runbook whose address is given', () => {
  const alarm = synthesise('prod', { runbookUrl: 'https://wiki.example.com/on-call' }).at(
    'Monitoring/api-faults',
  );

  expect(alarm.AlarmDescription).toMatch(/ See https:\/\/wiki\.example\.com\/on-call#api-faults$/);
});

const page = readFileSync('docs/operators/logs-and-metrics.md', 'utf8');

describe.each(stageNames)('the saved queries of %s', (stageName) => {
  const stage = synthesiseWithMail(stageName);
  const saved = stage.all('AWS::Logs::QueryDefinition').map(({ properties }) => properties);
  const groupsOf = ({ LogGroupNames }: Properties) =>
    (LogGroupNames as Json[]).map((name) => stage.pathOf(name));

  it('are those of the code, in a folder of the stage', () => {
    expect(saved.map(({ Name, QueryString }) => [Name, QueryString])).toEqual(
      LOG_QUERIES.map(({ name, text }) => [`integrations-${stageName}/${name}`, text]),
    );
  });

  it('read logs of this stage, and no more than Logs Insights reads at once', () => {
    for (const query of saved) {
      expect(groupsOf(query).length).toBeGreaterThan(0);
      expect(groupsOf(query).length).toBeLessThanOrEqual(50);
      expect(groupsOf(query).every((path) => /\/(Log|AccessLog)$/.test(path))).toBe(true);
    }
  });

  it('find faults in the log of every function', () => {
    const [faults] = saved.filter(({ Name }) => String(Name).endsWith('/errors'));
    const logs = stage.all('AWS::Lambda::Function').map(({ path }) => `${path.split('/')[0]}/Log`);

    expect(groupsOf(faults ?? {}).toSorted()).toEqual(logs.toSorted());
  });

  it('name fields that the access log has, where they read it', () => {
    const [format] = stage
      .all('AWS::ApiGateway::Stage')
      .map(({ properties }) => (properties.AccessLogSetting as Properties).Format);
    const written = Object.keys(JSON.parse(String(format)));
    const named = LOG_QUERIES.filter(({ readsAccessLog }) => readsAccessLog).flatMap(({ text }) =>
      fieldsOf(text),
    );

    expect(named.filter((field) => !written.includes(field))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });
});

it('the page about logs has each saved query, by its name', () => {
  const listed = [...(page.split('## ')[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, name]) => name);

  expect(listed).toEqual(LOG_QUERIES.map(({ name }) => name));
});

it('the fields of a query are the names that are no words or texts', () => {
  const query = `fields @timestamp, a
| filter b = "c" or @message like /d e/
| stats count(*) as f, max(g) by h, bin(1m)
| sort f desc
| limit 50`;

  expect(fieldsOf(query)).toEqual(['a', 'b', 'g', 'h']);
});
