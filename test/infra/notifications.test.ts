import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { type Json, type Properties, SynthesisedStage, synthesise } from './template.ts';

const TOPIC = 'Notifications/Topic';

const notifiedBy = (stage: SynthesisedStage) =>
  new Set(
    stage
      .all('AWS::CloudWatch::Alarm')
      .flatMap(({ properties }) => properties.AlarmActions ?? 'nothing')
      .map((action) => (typeof action === 'string' ? action : stage.pathOf(action))),
  );

describe.each(stageNames)('The topic of the alarms of %s', (stageName) => {
  const stage = synthesise(stageName);

  it('hears of every alarm, and is an output', () => {
    expect(notifiedBy(stage)).toEqual(new Set([TOPIC]));
    expect(stage.outputValues('AlarmTopicArn').map((value) => stage.pathOf(value))).toEqual([
      TOPIC,
    ]);
  });

  it('hears when an alarm is quiet again, but of those of a release', () => {
    const silent = stage
      .all('AWS::CloudWatch::Alarm')
      .filter(({ properties }) => properties.OKActions === undefined)
      .filter(({ path }) => !path.endsWith('/NewVersionErrors'));

    expect(silent).toEqual([]);
  });

  it('takes messages of CloudWatch and AWS Budgets, and only by TLS', () => {
    const [policy] = stage.all('AWS::SNS::TopicPolicy');
    const { Statement } = (policy?.properties.PolicyDocument ?? {}) as Properties;

    expect(Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Principal: '*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });
});

describe('A stage', () => {
  const withBudget = new SynthesisedStage('dev', {
    alarms: 'false',
    notifications: { emails: ['a@example.com', 'b@example.com'], monthlyBudget: 200 },
  });

  it('subscribes each address to its topic', () => {
    const subscriptions = withBudget.all('AWS::SNS::Subscription');

    expect(
      subscriptions.map(({ properties: { Protocol, Endpoint, TopicArn } }) => [
        Protocol,
        Endpoint,
        withBudget.pathOf(TopicArn),
      ]),
    ).toEqual([
      ['email', 'a@example.com', TOPIC],
      ['email', 'b@example.com', TOPIC],
    ]);
  });

  it('notifies a topic of the operator instead of its own', () => {
    const topicArn = 'arn:aws:sns:eu-west-1:111122223333:on-call';
    const stage = new SynthesisedStage('prod', { notifications: { topicArn } });

    expect(notifiedBy(stage)).toEqual(new Set([topicArn]));
    expect(stage.outputValues('AlarmTopicArn')).toEqual([topicArn]);
    expect(stage.all('AWS::SNS::Topic')).toEqual([]);
    const [rule] = Object.entries(stage.rules).filter(([name]) => /TopicRegion/.test(name));
    expect(rule?.[1]).toMatchObject({
      Assertions: [{ Assert: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-west-1'] } }],
    });
  });

  it('notifies others of what is not urgent, and of its costs', () => {
    const stage = new SynthesisedStage('prod', {
      notifications: { other: { emails: ['team@example.com'] }, monthlyBudget: 200 },
    });
    const topicsOf = (name: string) =>
      ['AlarmActions', 'OKActions'].map((actions) =>
        (stage.at(`Monitoring/${name}`)[actions] as Json[]).map((action) => stage.pathOf(action)),
      );
    const [subscription] = stage.all('AWS::SNS::Subscription');
    const [budget] = stage.all('AWS::Budgets::Budget');

    expect(topicsOf('webhooks-failing')).toEqual([[TOPIC], [TOPIC]]);
    expect(topicsOf('events-errors')).toEqual([
      ['Notifications/OtherTopic'],
      ['Notifications/OtherTopic'],
    ]);
    expect(stage.pathOf(subscription?.properties.TopicArn)).toBe('Notifications/OtherTopic');
    expect(JSON.stringify(budget?.properties)).toContain('OtherTopic');
    expect(stage.outputValues('OtherAlarmTopicArn').map((value) => stage.pathOf(value))).toEqual([
      'Notifications/OtherTopic',
    ]);
  });

  it('has a topic only for alarms or a budget', () => {
    const without = new SynthesisedStage('dev', { alarms: 'false' });

    expect(without.all().filter(({ type }) => type.startsWith('AWS::SNS'))).toEqual([]);
    expect(without.outputs()).not.toContain('AlarmTopicArn');
  });

  it('warns at 80 % of the budget, and when more than all is expected', () => {
    const [budget] = withBudget.all('AWS::Budgets::Budget');
    const warnings = budget?.properties.NotificationsWithSubscribers as Properties[];

    expect(budget?.properties.Budget).toEqual({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 200, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['user:stage$dev'] },
    });
    expect(warnings.map(({ Notification }) => Notification)).toEqual([
      expect.objectContaining({ NotificationType: 'ACTUAL', Threshold: 80 }),
      expect.objectContaining({ NotificationType: 'FORECASTED', Threshold: 100 }),
    ]);
    const addresses = warnings
      .flatMap(({ Subscribers }) => Subscribers as Properties[])
      .map(({ Address }) => withBudget.pathOf(Address));
    expect(addresses).toEqual([TOPIC, TOPIC]);
  });

  it('has no budget unless its deployment has one', () => {
    expect(synthesise('prod').all('AWS::Budgets::Budget')).toEqual([]);
  });
});
