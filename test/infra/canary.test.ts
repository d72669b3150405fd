import { describe, expect, it } from 'vitest';
import { ACCOUNT_NAME } from '../../core/directory/account.ts';
import { stageNames } from '../../lib/stage-settings.ts';
import { roleGrants } from './role-grants.ts';
import { type Properties, SynthesisedStage, synthesise, watchedMetric } from './template.ts';

const prod = synthesise('prod');

/** The methods of the API that the function behind them takes the canary's webhook by. */
const receiving = (stage: SynthesisedStage) =>
  stage
    .all('AWS::ApiGateway::Method')
    .filter(({ properties }) => JSON.stringify(properties.Integration).includes('ReceiveCanary'));

describe('The canary', () => {
  it('is in prod, and in another stage if the deployment asks for it', () => {
    const stages = [
      ...stageNames.map((stage) => synthesise(stage)),
      new SynthesisedStage('dev', { canary: 'true' }),
      new SynthesisedStage('prod', { canary: 'false' }),
    ];

    expect(
      stages.map((stage) => [
        receiving(stage).length,
        stage.all('AWS::Scheduler::Schedule').length,
      ]),
    ).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
  });

  it('is of an account that no customer can have, which an output names', () => {
    const [account] = prod.outputValues('CanaryAccount');

    expect(account).toBe('_canary');
    expect(account).not.toMatch(ACCOUNT_NAME);
  });

  it('has its function called every five minutes, by Scheduler alone', () => {
    const { Target, ...schedule } = prod.at('Canary/Schedule');
    const { Arn, RoleArn, RetryPolicy } = Target as Properties;

    expect(schedule).toMatchObject({
      ScheduleExpression: 'rate(5 minutes)',
      FlexibleTimeWindow: { Mode: 'OFF' },
    });
    expect(prod.pathOf(Arn)).toBe('SendCanary/Function');
    expect(RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
    expect(prod.pathOf(RoleArn)).toBe('Canary/Role');
    expect(roleGrants(prod)['Canary/Role']).toEqual({
      'SendCanary/Function': ['lambda:InvokeFunction'],
    });
  });

  it('sends to a route of the API that needs no token, and nowhere else', () => {
    const { CANARY_URL } = prod.variablesOf('SendCanary');
    const [api = ''] = prod.outputValues('ApiUrl');
    const [method] = receiving(prod);

    expect(prod.pathOrText(CANARY_URL)).toBe(`${prod.pathOrText(api)}/_canary`);
    expect(method?.path).toBe('ServiceApi/Api/Default/_canary/POST');
    expect(method?.properties.AuthorizationType).toBe('NONE');
    expect(prod.all('AWS::Lambda::Url')).toEqual([]);
  });

  it('reads and writes the integrations of its account alone', () => {
    const grants = roleGrants(prod);
    const onIntegrations = ['SendCanary', 'ReceiveCanary'].flatMap(
      (name) => grants[`${name}/Role`]?.Integrations ?? [],
    );

    const own = '{"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["_canary"]}}';
    expect(onIntegrations).toEqual(
      ['GetItem', 'PutItem', 'UpdateItem', 'GetItem'].map(
        (action) => `dynamodb:${action} if ${own}`,
      ),
    );
  });

  it('raises an alarm when it is 15 minutes missing or five minutes late', () => {
    const alarm = prod.at('Monitoring/canary-late');

    expect(alarm).toMatchObject({
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 300_000,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
    });
    expect(watchedMetric(alarm)).toMatchObject({ MetricName: 'CanaryLatency', Period: 300 });
    const expressions = (alarm.Metrics as Properties[]).map(({ Expression }) => Expression);
    expect(expressions).toContain('FILL(latency, 900000)');
  });

  it('leaves all other alarms quiet when their metric is not written', () => {
    const others = prod
      .all('AWS::CloudWatch::Alarm')
      .filter(({ path }) => path !== 'Monitoring/canary-late')
      .map(({ properties }) => properties.TreatMissingData);

    expect(new Set(others)).toEqual(new Set(['notBreaching']));
  });
});
