import { describe, expect, it } from 'vitest';
import { type Json, type Properties, SynthesisedStage, synthesise } from './template.ts';

const prod = synthesise('prod');

/** The one behind routes serves documents that are the same for all callers. */
const PUBLIC_DOCUMENTS = ['ServeReference'];
const RELEASED_AT_ONCE = [...PUBLIC_DOCUMENTS, 'ReceiveCanary', 'SendCanary'];

/** Functions of queues and of the tables' streams. With the authorizer, eight deployments at once. */
const CONSUMERS = [
  'AnnounceChanges',
  'CountAttempts',
  'DeliverSlowly',
  'DeliverWebhook',
  'RetryHourly',
  'RouteEvent',
  'RunReplay',
];

const nameOf = (path: string): string => path.split('/')[0] ?? '';

const functionNames = (stage: SynthesisedStage) =>
  stage
    .all('AWS::Lambda::Function')
    .map(({ path }) => nameOf(path))
    .toSorted();

const versioned = functionNames(prod).filter((name) => !RELEASED_AT_ONCE.includes(name));

/** CodeDeploy shifts the traffic of these. */
const GRADUAL = ['AuthorizeRequest', ...CONSUMERS];

const groups = (stage: SynthesisedStage) => stage.all('AWS::CodeDeploy::DeploymentGroup');

const alarmsOf = (properties: Properties): string[] => {
  const { Alarms = [] } = (properties.AlarmConfiguration ?? {}) as { Alarms?: Properties[] };
  return Alarms.map(({ Name }) => prod.pathOf(Name));
};

describe('A release of prod', () => {
  it('has an alias for every function but those of public documents', () => {
    const aliases = prod.all('AWS::Lambda::Alias').map(({ path }) => nameOf(path));

    expect(aliases.toSorted()).toEqual(versioned);
    expect(versioned).toHaveLength(11);
  });

  it.each([
    ['queues and the log stream', 'AWS::Lambda::EventSourceMapping', 'FunctionName'],
    ['the authorizer', 'AWS::ApiGateway::Authorizer', 'AuthorizerUri'],
    ['the permissions of the gateway', 'AWS::Lambda::Permission', 'FunctionName'],
  ])('has %s call functions by their aliases', (_, type, property) => {
    const calls = prod.all(type).map(({ properties }) => prod.called(properties[property]));
    const past = calls.filter(({ byAlias }) => !byAlias).map(({ path }) => nameOf(path));

    expect(calls.length).toBeGreaterThan(0);
    expect(past.filter((name) => !RELEASED_AT_ONCE.includes(name))).toEqual([]);
  });

  it('has each method call its function by the alias', () => {
    const uris = prod.all('AWS::ApiGateway::Method').flatMap(({ properties }) => {
      const { Uri } = properties.Integration as { Uri?: Json };
      return Uri === undefined ? [] : [prod.called(Uri)];
    });
    const byAlias = new Set(
      uris.filter((called) => called.byAlias).map(({ path }) => nameOf(path)),
    );
    const past = new Set(uris.filter((called) => !called.byAlias).map(({ path }) => nameOf(path)));

    expect([...past].toSorted()).toEqual(['ReceiveCanary', ...PUBLIC_DOCUMENTS]);
    expect([...byAlias, ...GRADUAL].toSorted()).toEqual(versioned);
  });

  it('gives a new version a tenth of the calls for ten minutes', () => {
    const configurations = groups(prod).map(({ properties }) => properties.DeploymentConfigName);

    expect(configurations).toEqual(
      GRADUAL.map(() => 'CodeDeployDefault.LambdaCanary10Percent10Minutes'),
    );
  });

  it('goes back on an alarm, a failure, or an operator’s stop', () => {
    for (const { properties } of groups(prod)) {
      expect(properties.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      });
      expect(properties.AlarmConfiguration).toMatchObject({ Enabled: true });
    }
  });

  it('listens to the alarm of the new version, and of webhooks that fail together', () => {
    const listened = Object.fromEntries(
      groups(prod).map(({ path, properties }) => [nameOf(path), alarmsOf(properties)]),
    );
    const own = (name: string) => `${name}/Function/NewVersionErrors`;

    expect(listened).toEqual(
      Object.fromEntries(GRADUAL.map((name) => [name, [own(name), 'Monitoring/webhooks-failing']])),
    );
  });

  it('listens to errors of the new version alone, and to records that it reports', () => {
    const alarms = prod
      .all('AWS::CloudWatch::Alarm')
      .filter(({ path }) => path.endsWith('/NewVersionErrors'));

    expect(alarms.map(({ path }) => nameOf(path)).toSorted()).toEqual(GRADUAL.toSorted());
    for (const { path, properties } of alarms) {
      const name = path.replace('/NewVersionErrors', '');
      const version = `${name}/CurrentVersion`;
      const ofLambda = { FunctionName: name, Resource: `${name}:live`, ExecutedVersion: version };
      const ofService = { service: 'integrations', stage: 'prod', function: name, version };

      expect(properties).toMatchObject({
        Threshold: 0.1,
        DatapointsToAlarm: 2,
        EvaluationPeriods: 5,
      });
      expect(metricsOf(properties)).toEqual([
        ['Errors', 'Average', ofLambda],
        ...(CONSUMERS.includes(nameOf(path))
          ? [
              ['Errors', 'SampleCount', ofLambda],
              ['RecordsFailed', 'Sum', ofService],
            ]
          : []),
      ]);
    }
  });

  it('begins with alarms that watch the new version already', () => {
    const [, needs = new Map<string, ReadonlySet<string>>()] = prod.needs();
    const groupIds = new Map(groups(prod).map(({ path, logicalId }) => [nameOf(path), logicalId]));

    expect([...groupIds.keys()].toSorted()).toEqual(GRADUAL.toSorted());
    for (const { path, logicalId, updatePolicy } of prod.all('AWS::Lambda::Alias')) {
      const group = groupIds.get(nameOf(path));
      if (group === undefined) {
        expect(updatePolicy).toBeUndefined();
        continue;
      }
      expect(needs.get(logicalId)).toContain(group);
      expect(updatePolicy).toMatchObject({
        CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: group } },
      });
    }
  });

  it('has a new alarm for each new version', () => {
    const alarms = (stage: SynthesisedStage) =>
      stage
        .all('AWS::CloudWatch::Alarm')
        .filter(({ path }) => path.endsWith('/NewVersionErrors'))
        .map(({ path, logicalId }) => [nameOf(path), logicalId] as const);
    const before = new Map(alarms(prod));
    const replaced = alarms(new SynthesisedStage('prod', { attemptLines: 'all' })).filter(
      ([name, logicalId]) => before.get(name) !== logicalId,
    );

    expect(replaced.map(([name]) => name).toSorted()).toEqual(['DeliverSlowly', 'DeliverWebhook']);
  });

  it('makes new versions of the functions that have changed alone', () => {
    const versions = (stage: SynthesisedStage) =>
      stage.all('AWS::Lambda::Version').map(({ logicalId }) => logicalId);
    const before = versions(prod);
    const changed = versions(new SynthesisedStage('prod', { attemptLines: 'all' })).filter(
      (version) => !before.includes(version),
    );

    expect(versions(new SynthesisedStage('prod', { release: 'at-once' }))).toEqual(before);
    expect(changed.map((version) => version.replace(/Function.*/, '')).toSorted()).toEqual([
      'DeliverSlowly',
      'DeliverWebhook',
    ]);
  });

  it('starts at most eight deployments together', () => {
    expect(groups(prod).length).toBeLessThanOrEqual(8);
  });

  it('takes all traffic at once where the deployment requests it', () => {
    const atOnce = new SynthesisedStage('prod', { release: 'at-once' });
    const policies = atOnce.all('AWS::Lambda::Alias').map(({ updatePolicy }) => updatePolicy);

    expect(groups(atOnce)).toEqual([]);
    expect(policies).toEqual(versioned.map(() => undefined));
  });
});

/** Name, statistic and dimensions of each metric of an alarm's expression. */
const metricsOf = ({ Metrics }: Properties) =>
  (Metrics as Properties[]).flatMap(({ MetricStat }) => {
    if (MetricStat === undefined) return [];
    const { Metric, Stat } = MetricStat as Properties;
    const metric = Metric as Properties;
    return [[metric.MetricName, Stat, dimensionsOf(metric)]];
  });

const dimensionsOf = ({ Dimensions }: Properties) =>
  Object.fromEntries(
    (Dimensions as Properties[]).map(({ Name, Value }) => [Name, prod.pathOrText(Value)]),
  );

describe.each(['local', 'dev'] as const)('The functions of %s', (name) => {
  it('have no versions, so that a deployment takes no longer than it must', () => {
    const stage = synthesise(name);
    const types = ['AWS::Lambda::Alias', 'AWS::Lambda::Version', 'AWS::CodeDeploy::Application'];

    expect(types.flatMap((type) => stage.all(type))).toEqual([]);
    expect(groups(stage)).toEqual([]);
  });
});
