import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../lambdas/_openapi/routes.ts';
import { stageNames } from '../../lib/config.ts';
import { type Properties, type Resource, synthesise } from './template.ts';

describe.each(stageNames)('the API of %s', (stageName) => {
  const stage = synthesise(stageName);
  const [api] = stage.all('AWS::ApiGateway::RestApi');
  const [authorizer] = stage.all('AWS::ApiGateway::Authorizer');
  const deployed: Properties = stage.all('AWS::ApiGateway::Stage')[0]?.properties ?? {};
  const methods = stage.all('AWS::ApiGateway::Method');
  const responses = new Map(
    stage
      .all('AWS::ApiGateway::GatewayResponse')
      .map(({ properties }) => [String(properties.ResponseType), properties]),
  );

  const routeOf = (method: Resource) => {
    const path = method.path.replace('ServiceApi/Api/Default', '').split('/').slice(0, -1);
    return `${method.properties.HttpMethod} ${path.join('/')}`;
  };
  const problemOf = (type: string): Properties => {
    const templates = responses.get(type)?.ResponseTemplates as Properties | undefined;
    return JSON.parse(String(templates?.['application/json']));
  };

  it('is regional', () => {
    expect(api?.properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
  });

  it('has an address without a slash at its end, since paths begin with one', () => {
    const [url] = stage.outputValues('ApiUrl');

    expect(stage.pathOrText(url)).toMatch(/^https:.*\/(local|dev|prod|ServiceApi\/.*)$/);
    expect(stage.pathOrText(url)).not.toMatch(/\/$/);
  });

  it('compresses what is long', () => {
    expect(api?.properties.MinimumCompressionSize).toBe(16_384);
  });

  it('has the routes that the functions declare, each with the function of its operation', () => {
    const served = methods.map((method) => {
      const integration = method.properties.Integration as Properties;
      const [, name] = /"(\w+?)Function/.exec(JSON.stringify(integration.Uri)) ?? [];
      return [routeOf(method), name];
    });
    // One function serves the page and its assets.
    const functionOf = (operationId: string) =>
      (operationId === 'getDocsAsset' ? 'getDocs' : operationId).replace(/^./, (first) =>
        first.toUpperCase(),
      );

    expect(Object.fromEntries(served)).toEqual(
      Object.fromEntries(
        ROUTES.map(({ method, path, operationId }) => [
          `${method} ${path}`,
          functionOf(operationId),
        ]),
      ),
    );
  });

  it('asks the authorizer on every route but those of its public documents', () => {
    const open = methods.filter(
      ({ properties }) =>
        properties.AuthorizationType !== 'CUSTOM' ||
        stage.pathOf(properties.AuthorizerId) !== authorizer?.path,
    );

    expect(open.map(routeOf).sort()).toEqual([
      'GET /contexts/{document}',
      'GET /docs',
      'GET /docs/{asset}',
      'GET /openapi.json',
    ]);
  });

  it('lets a revoked token work for a minute at most', () => {
    expect(authorizer?.properties.AuthorizerResultTtlInSeconds).toBeLessThanOrEqual(60);
  });

  it('leaves it to the authorizer to judge the Authorization header', () => {
    expect(authorizer?.properties).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
    });
    expect(authorizer?.properties.IdentityValidationExpression).toBeUndefined();
  });

  it('answers every error the gateway knows itself', () => {
    const known = Object.values(ResponseType)
      .filter((value) => value instanceof ResponseType)
      .map(({ responseType }) => responseType);

    expect([...responses.keys()].sort()).toEqual(known.sort());
  });

  it('answers every such error as problem+json with its own status in it', () => {
    for (const [type, { ResponseParameters, StatusCode }] of responses) {
      expect(ResponseParameters, type).toMatchObject({
        'gatewayresponse.header.Content-Type': "'application/problem+json'",
      });
      expect(problemOf(type), type).toEqual({
        type: expect.stringMatching(/^urn:service:problem:[a-z-]+$/),
        title: expect.stringMatching(/\w/),
        status: Number(StatusCode),
        detail: expect.stringMatching(/\w/),
        instance: 'urn:uuid:$context.requestId',
      });
    }
  });

  it.each([
    ['UNAUTHORIZED', 401, 'unauthorized'],
    ['ACCESS_DENIED', 403, 'forbidden'],
    ['MISSING_AUTHENTICATION_TOKEN', 404, 'not-found'],
    ['REQUEST_TOO_LARGE', 413, 'payload-too-large'],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'unsupported-media-type'],
    ['THROTTLED', 429, 'throttled'],
    ['WAF_FILTERED', 429, 'throttled'],
    ['BAD_REQUEST_BODY', 400, 'bad-request'],
    ['AUTHORIZER_FAILURE', 500, 'internal'],
    ['INTEGRATION_FAILURE', 500, 'internal'],
    ['INTEGRATION_TIMEOUT', 504, 'internal'],
  ])('answers %s with %i %s', (type, status, kind) => {
    expect(problemOf(type)).toMatchObject({ status, type: `urn:service:problem:${kind}` });
  });

  it('says with a 401, and with nothing else, how to authenticate', () => {
    const challenging = [...responses].flatMap(([type, { ResponseParameters }]) => {
      const challenge = (ResponseParameters as Properties)[
        'gatewayresponse.header.WWW-Authenticate'
      ];
      return challenge ? [[type, challenge]] : [];
    });

    expect(challenging).toEqual([['UNAUTHORIZED', "'Bearer'"]]);
  });

  it('logs each request as JSON, without headers, query or body', () => {
    const { Format } = deployed.AccessLogSetting as Properties;
    const logged = JSON.stringify(Object.values(JSON.parse(String(Format)) as Properties));

    expect(logged).toContain('$context.requestId');
    expect(logged).not.toMatch(/\$input|\$util|[Hh]eader|querystring|authorizationToken|body/);
  });

  it('traces no request data in its execution log', () => {
    for (const settings of deployed.MethodSettings as Properties[]) {
      expect(settings.DataTraceEnabled ?? false).toBe(false);
    }
    expect(deployed.MethodSettings).toContainEqual(
      expect.objectContaining({ ResourcePath: '/*', HttpMethod: '*', LoggingLevel: 'ERROR' }),
    );
  });

  it('is throttled, and more so where an attempt is made or asked for', () => {
    const settings = deployed.MethodSettings as Properties[];
    const rates = { local: [1_000, 100], dev: [20, 2], prod: [200, 5] }[stageName];

    expect(
      Object.fromEntries(
        settings.map(({ ResourcePath, HttpMethod, ThrottlingRateLimit }) => [
          `${HttpMethod} ${String(ResourcePath).replaceAll('~1', '/')}`,
          ThrottlingRateLimit,
        ]),
      ),
    ).toEqual({
      '* /*': rates[0],
      'POST //integrations/{id}/deliveries/{event}/resend': rates[1],
      'POST //integrations/{id}/recover': rates[1],
      'POST //integrations/{id}/retry': rates[1],
      'POST //integrations/{id}/test': rates[1],
    });
    expect(settings.every(({ ThrottlingBurstLimit }) => Number(ThrottlingBurstLimit) > 0)).toBe(
      true,
    );
  });

  it('is throttled for each access token and each address, which no sample of requests shows', () => {
    const [acl] = stage.all('AWS::WAFv2::WebACL');
    const { Rules = [] } = acl?.properties ?? {};
    const limits = { local: [60_000, 60_000], dev: [300, 600], prod: [1_200, 3_000] }[stageName];

    expect(acl?.properties.DefaultAction).toEqual({ Allow: {} });
    expect(Rules).toMatchObject(
      [
        { AggregateKeyType: 'CUSTOM_KEYS', CustomKeys: [{ Header: { Name: 'authorization' } }] },
        { AggregateKeyType: 'IP' },
      ].map((aggregation, index) => ({
        Action: { Block: {} },
        Statement: {
          RateBasedStatement: { ...aggregation, EvaluationWindowSec: 60, Limit: limits[index] },
        },
        VisibilityConfig: { SampledRequestsEnabled: false },
      })),
    );
    expect(acl?.properties.VisibilityConfig).toMatchObject({ SampledRequestsEnabled: false });
  });

  it('has that throttle on the stage that is served', () => {
    const [association] = stage.all('AWS::WAFv2::WebACLAssociation');
    const [served] = stage.all('AWS::ApiGateway::Stage');

    expect(stage.pathOf(association?.properties.WebACLArn)).toMatch(/CallerThrottle\/WebAcl$/);
    expect(stage.pathOrText(association?.properties.ResourceArn)).toContain(served?.path);
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
    expect(stage.outputs().sort()).toEqual([
      'ApiUrl',
      'DeliveriesDeadLetterQueueUrl',
      'DeliveriesQueueUrl',
      'DeliveryLogTableName',
      'DirectoryTableName',
      'EventsDeadLetterQueueUrl',
      'EventsQueueUrl',
      'IntegrationsTableName',
      'PendingEventsTableName',
      'ReplayDeadLetterQueueUrl',
      'ReplayQueueUrl',
      'RetryDeadLetterQueueUrl',
      'RetryQueueUrl',
      'RetryScheduleGroup',
      'ScheduleDeadLetterQueueUrl',
    ]);
  });
});
