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

describe.each(stageNames)('the stream of the delivery log in %s', (stageName) => {
  const stage = synthesise(stageName);
  const source = sourceOf(stage);

  it('is read by the function that counts attempts, and by no other', () => {
    const readers = stage
      .all('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => stage.pathOf(properties.EventSourceArn) === 'DeliveryLog')
      .map(({ properties }) => stage.called(properties.FunctionName).path);

    expect(readers).toEqual(['CountAttempts/Function']);
  });

  it('is read in order, shard by shard, and the function is told which shard', () => {
    expect(source).toMatchObject({ ParallelizationFactor: 1, TumblingWindowInSeconds: 900 });
  });

  it('is read from the oldest change on, without expired items’ deletions', () => {
    const { Filters = [] } = source.FilterCriteria as { Filters?: Properties[] };

    expect(source.StartingPosition).toBe('TRIM_HORIZON');
    expect(Filters.map(({ Pattern }) => JSON.parse(String(Pattern)))).toEqual([
      { eventName: ['INSERT', 'MODIFY'] },
    ]);
  });

  it('is not held up for long by what cannot be counted, which is kept', () => {
    const { OnFailure } = source.DestinationConfig as { OnFailure: Properties };

    expect(source).toMatchObject({
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 100,
      MaximumRecordAgeInSeconds: 12 * 3_600,
    });
    expect(stage.pathOf(OnFailure.Destination)).toBe('LogStream/DeadLetterQueue');
  });

  it('raises an alarm when it is read late', () => {
    const [late] = stage
      .all('AWS::CloudWatch::Alarm')
      .filter(({ path }) => path === 'Monitoring/log-stream-late');

    expect(late?.properties).toMatchObject({
      MetricName: 'IteratorAge',
      Namespace: 'AWS/Lambda',
      Statistic: 'Maximum',
      Threshold: 15 * 60 * 1_000,
    });
  });
});

describe.each(stageNames)('the stream of the integrations in %s', (stageName) => {
  const stage = synthesise(stageName);
  const source = sourceOf(stage, 'IntegrationStream');

  it('is read by the function that announces changes, and by no other', () => {
    const readers = stage
      .all('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => stage.pathOf(properties.EventSourceArn) === 'Integrations')
      .map(({ properties }) => stage.called(properties.FunctionName).path);

    expect(readers).toEqual(['AnnounceChanges/Function']);
  });

  it('is read within a second, all of it, deletions too', () => {
    expect(source).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 1,
      ParallelizationFactor: 2,
    });
    expect(source.FilterCriteria).toBeUndefined();
  });

  it('is not held up for long by what cannot be announced, which is kept', () => {
    const { OnFailure } = source.DestinationConfig as { OnFailure: Properties };

    expect(source).toMatchObject({
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 100,
      MaximumRecordAgeInSeconds: 12 * 3_600,
    });
    expect(stage.pathOf(OnFailure.Destination)).toBe('IntegrationStream/DeadLetterQueue');
    expect(stage.at('Monitoring/integration-stream-late')).toMatchObject({
      MetricName: 'IteratorAge',
    });
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
