import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { type Properties, type SynthesisedStage, synthesise } from './template.ts';

/** Concurrent executions that the account of a stage has, and that the API needs of them. */
const CONCURRENCY = {
  // Five event sources take two each at least. Only when all are busy does the API wait for them.
  dev: { account: 10, api: 0 },
  // Five tests and five retries a second of 17 s each, and 200 other calls a second of 0.2 s each.
  prod: { account: 1_000, api: 2 * 5 * 17 + 40 },
} as const;

const days = (count: number) => count * 24 * 60 * 60;

const sourcesOfQueues = (stage: SynthesisedStage) =>
  stage.all('AWS::Lambda::EventSourceMapping').filter(({ path }) => path !== 'LogStream/Source');

const concurrencyOfQueues = (stage: SynthesisedStage): number[] =>
  sourcesOfQueues(stage).map(({ properties }) =>
    Number((properties.ScalingConfig as Properties).MaximumConcurrency),
  );

describe.each(['dev', 'prod'] as const)('the functions of queues in %s', (stageName) => {
  it('leave the API room in the concurrency of the account', () => {
    const limits = concurrencyOfQueues(synthesise(stageName));
    const { account, api } = CONCURRENCY[stageName];

    expect(limits.reduce((sum, limit) => sum + limit, api)).toBeLessThanOrEqual(account);
  });
});

describe.each(stageNames)('the queues of %s', (stageName) => {
  const stage = synthesise(stageName);
  const queues = stage.all('AWS::SQS::Queue');
  const sources = sourcesOfQueues(stage);
  const alarms = stage.all('AWS::CloudWatch::Alarm');
  const alarmsOfQueues = alarms.filter(({ properties }) => properties.Namespace === 'AWS/SQS');

  const redriveOf = (properties: Properties) => properties.RedrivePolicy as Properties | undefined;
  const deadLetterQueues = queues.flatMap(({ properties }) => {
    const redrive = redriveOf(properties);
    return redrive ? [stage.pathOf(redrive.deadLetterTargetArn)] : [];
  });
  const ofOthers = ['RetrySchedules/DeadLetterQueue', 'LogStream/DeadLetterQueue'];
  const workQueues = queues.filter(
    ({ path }) => !ofOthers.includes(path) && !deadLetterQueues.includes(path),
  );

  it('are each a dead-letter queue or have one of their own', () => {
    const pairs = workQueues.map(({ path, properties }) => [
      path,
      stage.pathOf(redriveOf(properties)?.deadLetterTargetArn),
    ]);

    expect(Object.fromEntries(pairs)).toEqual({
      'Deliveries/Queue': 'Deliveries/DeadLetterQueue',
      'Events/Queue': 'Events/DeadLetterQueue',
      'Replays/Queue': 'Replays/DeadLetterQueue',
      'Retries/Queue': 'Retries/DeadLetterQueue',
      'SlowLane/Queue': 'SlowLane/DeadLetterQueue',
    });
  });

  it('give up nothing while they keep it, but retries, which the next hour replaces', () => {
    const tries = workQueues.map(({ path, properties }) => [
      path,
      redriveOf(properties)?.maxReceiveCount,
    ]);

    expect(Object.fromEntries(tries)).toEqual({
      'Deliveries/Queue': 1_000,
      'Events/Queue': 1_000,
      'Replays/Queue': 1_000,
      'Retries/Queue': 20,
      'SlowLane/Queue': 1_000,
    });
  });

  it('keep what nobody takes for the fourteen days that SQS allows', () => {
    expect(queues.map(({ properties }) => properties.MessageRetentionPeriod)).toEqual(
      queues.map(() => days(14)),
    );
  });

  it('are encrypted at rest', () => {
    expect(queues.map(({ properties }) => properties.SqsManagedSseEnabled)).toEqual(
      queues.map(() => true),
    );
  });

  it('refuse whoever does not use TLS', () => {
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

  it.each(['Events', 'Deliveries', 'SlowLane', 'Replays', 'Retries'])(
    'hide a message of %s six times as long as its function may take',
    (name) => {
      const queue = queues.find(({ path }) => path === `${name}/Queue`);
      const source = sources.find(({ path }) => path === `${name}/Source`);
      const consumer = stage
        .all('AWS::Lambda::Function')
        .find(({ path }) => path === stage.called(source?.properties.FunctionName).path);

      expect(queue?.properties.VisibilityTimeout).toBeGreaterThanOrEqual(
        6 * Number(consumer?.properties.Timeout),
      );
    },
  );

  it('are each worked off by their own function', () => {
    const consumers = sources.map(({ properties }) => [
      stage.pathOf(properties.EventSourceArn),
      stage.called(properties.FunctionName).path,
    ]);

    expect(Object.fromEntries(consumers)).toEqual({
      'Deliveries/Queue': 'DeliverWebhook/Function',
      'Events/Queue': 'RouteEvent/Function',
      'Replays/Queue': 'RunReplay/Function',
      'Retries/Queue': 'RetryHourly/Function',
      'SlowLane/Queue': 'DeliverSlowly/Function',
    });
  });

  it('take back only the messages of a batch that failed', () => {
    expect(sources.map(({ properties }) => properties.FunctionResponseTypes)).toEqual(
      sources.map(() => ['ReportBatchItemFailures']),
    );
  });

  it('hand out up to ten messages at once, replays one by one, and a hundred of the slow lane', () => {
    const batching = sources.map(({ path, properties }) => [
      path,
      properties.BatchSize,
      properties.MaximumBatchingWindowInSeconds,
    ]);

    expect(batching.sort()).toEqual([
      ['Deliveries/Source', 10, undefined],
      ['Events/Source', 10, undefined],
      ['Replays/Source', 1, undefined],
      ['Retries/Source', 10, undefined],
      // An attempt of the slow lane waits for seconds, whether it begins a second later or not.
      ['SlowLane/Source', 100, 1],
    ]);
  });

  it('are standard queues but for the replays, of which an integration has one at a time', () => {
    const fifo = queues.flatMap(({ path, properties }) => (properties.FifoQueue ? [path] : []));

    expect(fifo.sort()).toEqual(['Replays/DeadLetterQueue', 'Replays/Queue']);
  });

  it('work on the replays of many integrations at once, and take none for a repetition', () => {
    const replays = queues.find(({ path }) => path === 'Replays/Queue');

    expect(replays?.properties).toMatchObject({
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    expect(replays?.properties.ContentBasedDeduplication).not.toBe(true);
  });

  it('have event sources that AWS accepts', () => {
    const refused = concurrencyOfQueues(stage).filter((limit) => limit < 2 || limit > 1_000);

    expect(refused).toEqual([]);
  });

  it('raise an alarm for the first dead letter, messages that wait and many in flight', () => {
    const watched = alarmsOfQueues.map(({ properties }) => {
      const [dimension] = properties.Dimensions as Properties[];
      return [stage.pathOf(dimension?.Value), properties.MetricName];
    });

    expect(watched.sort()).toEqual([
      ['Deliveries/DeadLetterQueue', 'ApproximateNumberOfMessagesVisible'],
      ['Deliveries/Queue', 'ApproximateAgeOfOldestMessage'],
      ['Deliveries/Queue', 'ApproximateNumberOfMessagesNotVisible'],
      ['Events/DeadLetterQueue', 'ApproximateNumberOfMessagesVisible'],
      ['Events/Queue', 'ApproximateAgeOfOldestMessage'],
      ['Events/Queue', 'ApproximateNumberOfMessagesNotVisible'],
      ['LogStream/DeadLetterQueue', 'ApproximateNumberOfMessagesVisible'],
      ['Replays/DeadLetterQueue', 'ApproximateNumberOfMessagesVisible'],
      ['Replays/Queue', 'ApproximateAgeOfOldestMessage'],
      ['Replays/Queue', 'ApproximateNumberOfMessagesNotVisible'],
      ['Retries/DeadLetterQueue', 'ApproximateNumberOfMessagesVisible'],
      ['Retries/Queue', 'ApproximateAgeOfOldestMessage'],
      ['Retries/Queue', 'ApproximateNumberOfMessagesNotVisible'],
      ['RetrySchedules/DeadLetterQueue', 'ApproximateNumberOfMessagesVisible'],
      ['SlowLane/DeadLetterQueue', 'ApproximateNumberOfMessagesVisible'],
      ['SlowLane/Queue', 'ApproximateAgeOfOldestMessage'],
      ['SlowLane/Queue', 'ApproximateNumberOfMessagesNotVisible'],
    ]);
  });

  it('raise the alarm of what should be empty at one message, not at more', () => {
    const thresholds = alarmsOfQueues
      .filter(({ path }) => path.endsWith('DeadLetterAlarm'))
      .map(({ properties }) => [properties.Threshold, properties.ComparisonOperator]);

    expect(thresholds).toHaveLength(7);
    expect(new Set(thresholds.flat())).toEqual(new Set([1, 'GreaterThanOrEqualToThreshold']));
  });

  it('raise an alarm at half the messages in flight at which SQS stops', () => {
    const thresholds = alarmsOfQueues
      .filter(({ path }) => path.endsWith('InFlightAlarm'))
      .map(({ properties }) => properties.Threshold);

    expect(thresholds).toEqual(Array(5).fill(60_000));
  });
});
