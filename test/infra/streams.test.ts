import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { roleGrants } from './role-grants.ts';
import { type Properties, type SynthesisedStage, synthesise } from './template.ts';

const sourceOf = (stage: SynthesisedStage, stream = 'LogStream'): Properties => {
  const [source] = stage
    .all('AWS::Lambda::EventSourceMapping')
    .filter(({ path }) => path === `${stream}/Source`);
  return source?.properties ?? {};
};

const STREAMS = [
  ['LogStream', 'DeliveryLog', 'CountAttempts', 'log-stream-late'],
  ['IntegrationStream', 'Integrations', 'AnnounceChanges', 'integration-stream-late'],
] as const;

describe.each(stageNames)('the streams of tables in %s', (stageName) => {
  const stage = synthesise(stageName);

  it.each(STREAMS)('are each read by one function: %s', (_stream, table, reader) => {
    const readers = stage
      .all('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => stage.pathOf(properties.EventSourceArn) === table)
      .map(({ properties }) => stage.called(properties.FunctionName).path);

    expect(readers).toEqual([`${reader}/Function`]);
  });

  it.each(STREAMS)('keep what a function fails of, and go on: %s', (stream) => {
    const source = sourceOf(stage, stream);
    const { OnFailure } = source.DestinationConfig as { OnFailure: Properties };

    expect(source).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 100,
      MaximumRecordAgeInSeconds: 12 * 3_600,
    });
    expect(stage.pathOf(OnFailure.Destination)).toBe(`${stream}/DeadLetterQueue`);
  });

  it.each(STREAMS)(
    'raise an alarm when they are read late: %s',
    (_stream, _table, _reader, late) => {
      expect(stage.at(`Monitoring/${late}`)).toMatchObject({
        MetricName: 'IteratorAge',
        Namespace: 'AWS/Lambda',
        Statistic: 'Maximum',
        Threshold: 15 * 60 * 1_000,
      });
    },
  );

  it('give attempts in order, shard by shard, without expired items’ deletions', () => {
    const source = sourceOf(stage);
    const { Filters = [] } = source.FilterCriteria as { Filters?: Properties[] };

    expect(source).toMatchObject({ ParallelizationFactor: 1, TumblingWindowInSeconds: 900 });
    expect(Filters.map(({ Pattern }) => JSON.parse(String(Pattern)))).toEqual([
      { eventName: ['INSERT', 'MODIFY'] },
    ]);
  });

  it('give changes of integrations within a second, deletions too', () => {
    const source = sourceOf(stage, 'IntegrationStream');

    expect(source).toMatchObject({
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 1,
      ParallelizationFactor: 2,
    });
    expect(source.FilterCriteria).toBeUndefined();
  });
});

describe('changes of the delivery log', () => {
  it.each([
    ['local', 1],
    ['dev', 60],
    ['prod', 60],
  ] as const)('are gathered in %s for %i s', (stageName, seconds) => {
    expect(sourceOf(synthesise(stageName))).toMatchObject({
      BatchSize: 1_000,
      MaximumBatchingWindowInSeconds: seconds,
    });
  });
});

describe.each(stageNames)('the event bus of %s', (stageName) => {
  const stage = synthesise(stageName);

  it('has the stage’s name, and events of the function of changes alone', () => {
    const publishers = Object.entries(roleGrants(stage)).filter(([, resources]) =>
      Object.values(resources).flat().includes('events:PutEvents'),
    );

    expect(stage.at('EventBus').Name).toBe(`integrations-${stageName}`);
    expect(publishers.map(([role, { EventBus }]) => [role, EventBus])).toEqual([
      ['AnnounceChanges/Role', ['events:PutEvents']],
    ]);
  });
});
