import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import { functionOf, type Route } from '../../lambdas/api/runtime/route.ts';
import { stageNames } from '../../lib/stage-settings.ts';
import { type Properties, type Resource, synthesise } from './template.ts';

describe.each(stageNames)('the API of %s', (stageName) => {
  const stage = synthesise(stageName);
  const [api] = stage.all('AWS::ApiGateway::RestApi');
  const [authorizer] = stage.all('AWS::ApiGateway::Authorizer');
  const deployed: Properties = stage.all('AWS::ApiGateway::Stage')[0]?.properties ?? {};
  const methods = stage
    .all('AWS::ApiGateway::Method')
    .filter(({ properties }) => properties.HttpMethod !== 'OPTIONS');
  const responses = new Map(
    stage
      .all('AWS::ApiGateway::GatewayResponse')
      .map(({ properties }) => [String(properties.ResponseType), properties]),
  );

  const routeOf = (method: Resource) => {
    const path = method.path.replace('ServiceApi/Api/Default', '').split('/').slice(0, -1);
    return `${method.properties.HttpMethod} ${path.join('/') || '/'}`;
  };
  const problemOf = (type: string): Properties => {
    const templates = responses.get(type)?.ResponseTemplates as Properties | undefined;
    return JSON.parse(String(templates?.['application/json']));
  };

  it('is regional, and compresses large responses', () => {
    expect(api?.properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      MinimumCompressionSize: 16_384,
    });
  });

  it('has an address without a slash at its end, since paths begin with one', () => {
    const [url] = stage.outputValues('ApiUrl');

    expect(stage.pathOrText(url)).toMatch(/^https:.*\/(local|dev|prod|ServiceApi\/.*)$/);
    expect(stage.pathOrText(url)).not.toMatch(/\/$/);
  });

  it('has the declared routes, each with the function that serves it', () => {
    const served = methods.map((method) => {
      const integration = method.properties.Integration as Properties;
      const [, name] = /"(\w+?)Function/.exec(JSON.stringify(integration.Uri)) ?? [];
      return [routeOf(method), name];
    });
    const nameOf = (route: Route) =>
      functionOf(route).replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

    const methodsOf = ({ access, method }: Route) =>
      access === 'public' ? [method, 'HEAD'] : [method];
    expect(Object.fromEntries(served)).toEqual({
      ...Object.fromEntries(
        ROUTES.filter(({ access }) => access !== 'platform' && access !== 'code').flatMap((route) =>
          methodsOf(route).map((method) => [`${method} ${route.path}`, nameOf(route)]),
        ),
      ),
      ...(stageName === 'prod' && { 'POST /_canary': 'ReceiveCanary' }),
    });
  });

  it('asks the authorizer on all routes but the public ones and the canary’s', () => {
    const open = methods.filter(
      ({ properties }) =>
        properties.AuthorizationType !== 'CUSTOM' ||
        stage.pathOf(properties.AuthorizerId) !== authorizer?.path,
    );

    const methodsOf = Map.groupBy(
      open.map((method) => routeOf(method).split(' ')),
      ([, path]) => path,
    );
    for (const [path, found] of methodsOf) {
      const wanted = path === '/_canary' ? ['POST'] : ['GET', 'HEAD'];
      expect([path, found.map(([method]) => method).sort()]).toEqual([path, wanted]);
    }
    expect([...methodsOf.keys()].sort()).toEqual([
      '/',
      ...(stageName === 'prod' ? ['/_canary'] : []),
      '/change-types',
      '/contexts/{document}',
      '/docs',
      '/docs/{asset}',
      '/event-types',
      '/event-types/{schema}',
      '/guides',
      '/guides/receivers',
      '/guides/receivers/{receiver}',
      '/guides/receivers/{receiver}/{file}',
      '/guides/{page}',
      '/listen.mjs',
      '/llms.txt',
      '/openapi.json',
      '/problems',
      '/problems/{kind}',
      '/reasons',
      '/reasons/{reason}',
    ]);
  });

  it('leaves the Authorization header to the authorizer, cached for a minute', () => {
    expect(authorizer?.properties).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
    });
    expect(authorizer?.properties.IdentityValidationExpression).toBeUndefined();
    expect(authorizer?.properties.AuthorizerResultTtlInSeconds).toBeLessThanOrEqual(60);
  });

  it('answers every error of the gateway as problem+json with its own status', () => {
    const known = Object.values(ResponseType)
      .filter((value) => value instanceof ResponseType)
      .map(({ responseType }) => responseType);

    expect([...responses.keys()].sort()).toEqual(known.sort());
    for (const [type, { ResponseParameters, StatusCode }] of responses) {
      expect(ResponseParameters, type).toMatchObject({
        'gatewayresponse.header.Content-Type': "'application/problem+json'",
        'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
        'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000'",
      });
      expect(problemOf(type), type).toEqual({
        type: expect.stringMatching(RegExp(`^/${stageName}/problems/[a-z-]+$`)),
        title: expect.stringMatching(/\w/),
        status: Number(StatusCode),
        detail: expect.stringMatching(/\w/),
        instance: 'urn:uuid:$context.requestId',
      });
    }
  });

  it.each([
    ['UNAUTHORIZED', 401, 'unauthorized'],
    ['ACCESS_DENIED', 401, 'unauthorized'],
    ['MISSING_AUTHENTICATION_TOKEN', 404, 'not-found'],
    ['INVALID_SIGNATURE', 404, 'not-found'],
    ['DEFAULT_4XX', 404, 'not-found'],
    ['REQUEST_TOO_LARGE', 413, 'payload-too-large'],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'unsupported-media-type'],
    ['THROTTLED', 429, 'throttled'],
    ['WAF_FILTERED', 429, 'throttled'],
    ['BAD_REQUEST_BODY', 400, 'bad-request'],
    ['AUTHORIZER_FAILURE', 500, 'internal'],
    ['INTEGRATION_FAILURE', 500, 'internal'],
    ['INTEGRATION_TIMEOUT', 504, 'internal'],
  ])('answers %s with %i %s', (type, status, kind) => {
    expect(problemOf(type)).toMatchObject({ status, type: `/${stageName}/problems/${kind}` });
  });

  it('says with a 401, and with nothing else, how to authenticate', () => {
    const challenging = [...responses].flatMap(([type, { ResponseParameters }]) => {
      const challenge = (ResponseParameters as Properties)[
        'gatewayresponse.header.WWW-Authenticate'
      ];
      return challenge ? [[type, challenge]] : [];
    });

    expect(challenging.toSorted()).toEqual(
      ['ACCESS_DENIED', 'INVALID_API_KEY', 'UNAUTHORIZED'].map((type) => [type, "'Bearer'"]),
    );
  });

  it('logs each request as JSON, without headers, query or body', () => {
    const { Format } = deployed.AccessLogSetting as Properties;
    const logged = JSON.stringify(Object.values(JSON.parse(String(Format)) as Properties));

    expect(logged).toContain('$context.requestId');
    expect(logged).not.toMatch(/\$input|\$util|[Hh]eader|querystring|authorizationToken|body/);
  });

  it('leaves the logging role of the account in place when it goes', () => {
    const policies = stage
      .all()
      .filter(
        ({ type, path }) => type === 'AWS::ApiGateway::Account' || /CloudWatchRole$/.test(path),
      )
      .map(({ deletionPolicy }) => deletionPolicy);

    expect(policies).toEqual(['Retain', 'Retain']);
  });

  it('is found by outputs with the names that programs read', () => {
    expect(new Set(stage.outputs())).toEqual(
      new Set([
        ...(stageName === 'local'
          ? []
          : [
              'ConsoleClientId',
              'ConsoleDistributionName',
              'ConsoleUrl',
              'SignInIssuer',
              'UserPoolId',
            ]),
        'AlarmTopicArn',
        ...(stageName === 'prod' ? ['CanaryAccount'] : []),
        'ApiUrl',
        ...(stageName === 'prod' ? ['BackupRoleArn', 'BackupVaultName', 'DashboardUrl'] : []),
        'ChangesTableName',
        'DeliveriesDeadLetterQueueUrl',
        'DeliveriesQueueUrl',
        'DeliveryIndexTableName',
        'DeliveryLogTableName',
        'DirectoryTableName',
        'EventBusName',
        'EventsDeadLetterQueueUrl',
        'EventsQueueUrl',
        'IntegrationStreamDeadLetterQueueUrl',
        'IntegrationsTableName',
        'KeyPairDays',
        'KeyPairsTableName',
        'LogRetentionDays',
        'LogStreamDeadLetterQueueUrl',
        ...(stageName === 'local' ? ['NoticeDeadLetterQueueUrl', 'NoticeQueueUrl'] : []),
        'OwnOrigins',
        'PendingEventsTableName',
        'ReplayDeadLetterQueueUrl',
        'ReplayQueueUrl',
        'RetryDeadLetterQueueUrl',
        'RetryIntervalMs',
        'RetryQueueArn',
        'RetryQueueUrl',
        'RetryScheduleGroup',
        'RetryScheduleRoleArn',
        'ScheduleDeadLetterQueueArn',
        'ScheduleDeadLetterQueueUrl',
        'SecretsKeyArn',
        'SlowLaneDeadLetterQueueUrl',
        'SlowLaneQueueUrl',
        'StatisticsTableName',
        'Version',
      ]),
    );
  });
});
