import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

const onCall = readFileSync('docs/operators/on-call.md', 'utf8');

const anchors = [...onCall.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
);

describe.each(stageNames)('the alarms of %s', (stageName) => {
  const stage = synthesise(stageName);
  const all = stage.all('AWS::CloudWatch::Alarm');
  /** What stops a release is in release.test.ts. */
  const alarms = all.filter(({ path }) => !/^Release\/|\/NewVersionErrors$/.test(path));

  const watched = (namespace: string) =>
    alarms
      .filter(({ properties }) => properties.Namespace === namespace)
      .map(({ properties: { MetricName, Dimensions, Statistic, ExtendedStatistic } }) => ({
        metric: MetricName,
        statistic: Statistic ?? ExtendedStatistic,
        of: (Dimensions as Properties[]).map(({ Value }) =>
          typeof Value === 'string' ? Value : stage.pathOf(Value),
        ),
      }));

  it('watch errors and throttles of each function of a queue, or of the stream', () => {
    const consumers = stage
      .all('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => stage.called(properties.FunctionName).path);

    const faults = watched('AWS/Lambda').filter(({ metric }) => metric !== 'IteratorAge');
    expect(faults.map(({ metric, of: [path] }) => `${path} ${metric}`)).toEqual(
      consumers.flatMap((path) => [`${path} Errors`, `${path} Throttles`]),
    );
  });

  it('watch faults and latency of the API', () => {
    const of = [`integrations-${stageName}`, stageName];

    expect(watched('AWS/ApiGateway')).toEqual([
      { metric: '5XXError', statistic: 'Sum', of },
      { metric: 'Latency', statistic: 'p90', of },
    ]);
    expect(stage.all('AWS::ApiGateway::RestApi')[0]?.properties.Name).toBe(of[0]);
    expect(stage.all('AWS::ApiGateway::Stage')[0]?.properties.StageName).toBe(of[1]);
  });

  it('watch what the schedules cannot send', () => {
    const of = [stage.all('AWS::Scheduler::ScheduleGroup')[0]?.properties.Name];

    expect(watched('AWS/Scheduler')).toEqual([
      { metric: 'TargetErrorCount', statistic: 'Sum', of },
      { metric: 'InvocationDroppedCount', statistic: 'Sum', of },
    ]);
  });

  it('watch what the functions count of faults, and of customers with old or refused events', () => {
    const of = ['integrations', stageName];

    expect(watched('Integrations')).toEqual([
      { metric: 'RecordsFailed', statistic: 'Sum', of },
      { metric: 'RecordsStuck', statistic: 'Sum', of },
      { metric: 'DeliveriesNotSent', statistic: 'Sum', of },
      { metric: 'LogWritesFailed', statistic: 'Sum', of },
      { metric: 'OldestPendingEventAge', statistic: 'Maximum', of },
      { metric: 'EventsSetAside', statistic: 'Sum', of },
    ]);
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

  it('tell the topic an operator names', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-west-1:111122223333:on-call';
    const notified = new SynthesisedStage(stageName, { alarmTopicArn }).all(
      'AWS::CloudWatch::Alarm',
    );

    expect(notified.map(({ properties }) => properties.AlarmActions)).toEqual(
      all.map(() => [alarmTopicArn]),
    );
  });
});
