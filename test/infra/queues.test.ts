import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { type Properties, SynthesisedStage, synthesiseWithMail } from './template.ts';

const sourcesOfQueues = (stage: SynthesisedStage) =>
  stage.all('AWS::Lambda::EventSourceMapping').filter(({ path }) => !/Stream\/Source$/.test(path));

describe.each(stageNames)('the queues of %s', (stageName) => {
  const stage = synthesiseWithMail(stageName);
  const queues = stage.all('AWS::SQS::Queue');
  const sources = sourcesOfQueues(stage);
  const alarms = stage.all('AWS::CloudWatch::Alarm');
  const alarmsOfQueues = alarms.filter(({ properties }) => properties.Namespace === 'AWS/SQS');

  const redriveOf = (properties: Properties) => properties.RedrivePolicy as Properties | undefined;
  const deadLetterQueues = queues.flatMap(({ properties }) => {
    const redrive = redriveOf(properties);
    return redrive ? [stage.pathOf(redrive.deadLetterTargetArn)] : [];
  });
  const ofOthers = ['RetrySchedules', 'LogStream', 'IntegrationStream'].map(
    (name) => `${name}/DeadLetterQueue`,
  );
  const workQueues = queues.filter(
    ({ path }) => !ofOthers.includes(path) && !deadLetterQueues.includes(path),
  );

  it('are or have a dead-letter queue, but for what the next hour replaces', () => {
    const redrives = workQueues.map(({ path, properties }) => {
      const redrive = redriveOf(properties);
      return [path, stage.pathOf(redrive?.deadLetterTargetArn), redrive?.maxReceiveCount];
    });

    expect(redrives.sort()).toEqual([
      ['Deliveries/Queue', 'Deliveries/DeadLetterQueue', 1_000],
      ['Events/Queue', 'Events/DeadLetterQueue', 1_000],
      ['Notices/Queue', 'Notices/DeadLetterQueue', 1_000],
      ['Replays/Queue', 'Replays/DeadLetterQueue', 1_000],
      ['Retries/Queue', 'Retries/DeadLetterQueue', 20],
      ['SlowLane/Queue', 'SlowLane/DeadLetterQueue', 1_000],
    ]);
  });

  it('keep messages for the fourteen days that SQS allows, encrypted at rest', () => {
    const kept = queues.map(({ properties }) => [
      properties.MessageRetentionPeriod,
      properties.SqsManagedSseEnabled,
    ]);

    expect(kept).toEqual(queues.map(() => [14 * 24 * 60 * 60, true]));
  });

  it('refuse calls without TLS', () => {
    const refusing = stage.all('AWS::SQS::QueuePolicy').flatMap(({ properties }) => {
      const { Statement } = properties.PolicyDocument as { Statement: Properties[] };
      const denies = Statement.some(
        ({ Effect, Action, Condition }) =>
          Effect === 'Deny' &&
          Action === 'sqs:*' &&
          (Condition as { Bool?: Properties }).Bool?.['aws:SecureTransport'] === 'false',
      );
      return denies ? (properties.Queues as Properties[]).map((queue) => stage.pathOf(queue)) : [];
    });

    expect(refusing.sort()).toEqual(queues.map(({ path }) => path).sort());
  });

  it.each(['Events', 'Deliveries', 'SlowLane', 'Replays', 'Retries', 'Notices'])(
    'hide a message of %s six times as long as its function may take',
    (name) => {
      const { FunctionName } = stage.at(`${name}/Source`);
      const { Timeout } = stage.at(stage.called(FunctionName).path);

      expect(stage.at(`${name}/Queue`).VisibilityTimeout).toBeGreaterThanOrEqual(
        6 * Number(Timeout),
      );
    },
  );

  it('have these consumers, which take so many messages at once', () => {
    const consumers = sources.map(({ properties }) => [
      stage.pathOf(properties.EventSourceArn),
      stage.called(properties.FunctionName).path,
      properties.BatchSize,
      properties.MaximumBatchingWindowInSeconds,
    ]);

    expect(consumers.sort()).toEqual([
      ['Deliveries/Queue', 'DeliverWebhook/Function', 10, undefined],
      ['Events/Queue', 'RouteEvent/Function', 10, undefined],
      // A request that waits must not be overtaken by the next of its integration.
      ['Notices/Queue', 'SendNotices/Function', 1, undefined],
      ['Replays/Queue', 'RunReplay/Function', 1, undefined],
      ['Retries/Queue', 'RetryHourly/Function', 10, undefined],
      // An attempt of the slow lane waits for seconds, so a second more does not matter.
      ['SlowLane/Queue', 'DeliverSlowly/Function', 200, 1],
    ]);
    for (const { properties } of sources) {
      expect(properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
  });

  it('are standard queues, but for replays and notices', () => {
    const fifo = queues.flatMap(({ path, properties }) => (properties.FifoQueue ? [path] : []));

    expect(fifo.sort()).toEqual([
      'Notices/DeadLetterQueue',
      'Notices/Queue',
      'Replays/DeadLetterQueue',
      'Replays/Queue',
    ]);
  });

  it('replay many integrations at once, and deduplicate no replay', () => {
    const replays = stage.at('Replays/Queue');

    expect(replays).toMatchObject({
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    expect(replays.ContentBasedDeduplication).not.toBe(true);
  });

  it('raise an alarm for dead letters, late messages and many in flight', () => {
    const watched = alarmsOfQueues.map(({ properties }) => {
      const [dimension] = properties.Dimensions as Properties[];
      return `${stage.pathOf(dimension?.Value)} ${properties.MetricName}`;
    });
    const ofWork = ['Deliveries', 'Events', 'Notices', 'Replays', 'Retries', 'SlowLane'];
    const deadLetters = [...ofWork, 'LogStream', 'IntegrationStream', 'RetrySchedules'];

    expect(watched.sort()).toEqual(
      [
        ...ofWork.map((name) => `${name}/Queue ApproximateAgeOfOldestMessage`),
        ...ofWork.map((name) => `${name}/Queue ApproximateNumberOfMessagesNotVisible`),
        ...deadLetters.map((name) => `${name}/DeadLetterQueue ApproximateNumberOfMessagesVisible`),
      ].sort(),
    );
  });

  it('raise the alarm of what should be empty at one message, not at more', () => {
    const thresholds = alarmsOfQueues
      .filter(({ path }) => path.endsWith('-dead-letter'))
      .map(({ properties }) => [properties.Threshold, properties.ComparisonOperator]);

    expect(thresholds).toHaveLength(9);
    expect(new Set(thresholds.flat())).toEqual(new Set([1, 'GreaterThanOrEqualToThreshold']));
  });

  it('raise an alarm at half the messages in flight at which SQS stops', () => {
    const thresholds = alarmsOfQueues
      .filter(({ path }) => path.endsWith('-in-flight'))
      .map(({ properties }) => properties.Threshold);

    expect(thresholds).toEqual(Array(6).fill(60_000));
  });
});

describe('a batching window', () => {
  it('gathers events and deliveries, and nothing else', () => {
    const gathering = new SynthesisedStage('prod', { batchingWindow: '2' });
    const windows = gathering
      .all('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => properties.ScalingConfig !== undefined)
      .map(({ path, properties }) => [path, properties.MaximumBatchingWindowInSeconds]);

    expect(windows.filter(([, seconds]) => seconds !== undefined).sort()).toEqual([
      ['Deliveries/Source', 2],
      ['Events/Source', 2],
      ['SlowLane/Source', 1],
    ]);
  });
});
