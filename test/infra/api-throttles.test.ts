import { describe, expect, it } from 'vitest';
import { route as listDeliveries } from '../../lambdas/api/deliveries/list-deliveries.ts';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import { type StageSettings, stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

type Nested<Operator extends string> = Record<Operator, { Statements: Properties[] }>;

describe.each(stageNames)('the API of %s', (stageName) => {
  const stage = synthesise(stageName);
  const deployed: Properties = stage.all('AWS::ApiGateway::Stage')[0]?.properties ?? {};

  it('is throttled, and more so where an attempt is made or asked for', () => {
    const settings = deployed.MethodSettings as Properties[];
    const [all, costly] = {
      local: [
        [1_000, 1_000],
        [100, 2_000],
      ],
      dev: [
        [20, 40],
        [2, 25],
      ],
      prod: [
        [200, 400],
        [5, 150],
      ],
    }[stageName] as [number[], number[]];

    expect(
      Object.fromEntries(
        settings.map(({ ResourcePath, HttpMethod, ...limits }) => [
          `${HttpMethod} ${String(ResourcePath).replaceAll('~1', '/')}`,
          [limits.ThrottlingRateLimit, limits.ThrottlingBurstLimit],
        ]),
      ),
    ).toEqual({
      '* /*': all,
      'POST //integrations/{id}/deliveries/{event}/resend': costly,
      'POST //integrations/{id}/recover': costly,
      'POST //integrations/{id}/retry': costly,
      'POST //integrations/{id}/test': costly,
    });
  });

  it('is bounded for all callers in prod by each function’s concurrency', () => {
    const behind = JSON.stringify([
      ...stage.all('AWS::ApiGateway::Method'),
      ...stage.all('AWS::ApiGateway::Authorizer'),
    ]);
    const bounded = stage
      .all('AWS::Lambda::Function')
      .filter(({ path }) => behind.includes(`"${path.replace('/Function', 'Function')}`))
      .map(({ properties }) => Number(properties.ReservedConcurrentExecutions) > 0);

    expect(bounded).toEqual(Array(stageName === 'prod' ? 6 : 5).fill(stageName === 'prod'));
  });

  it('logs the gateway’s faults for every method, and no request', () => {
    const settings = deployed.MethodSettings as Properties[];

    expect(
      settings.map(({ LoggingLevel, DataTraceEnabled }) => [LoggingLevel, DataTraceEnabled]),
    ).toEqual(settings.map(() => ['ERROR', false]));
  });

  const rateRules = () => {
    const rules = stage.all('AWS::WAFv2::WebACL').flatMap(({ properties }) => properties.Rules);
    return (rules as Properties[]).map((rule) => ({
      ...rule,
      rate: (rule.Statement as Properties).RateBasedStatement as Properties,
    }));
  };

  it('is throttled for each token and address, which no sample shows', () => {
    const [acl] = stage.all('AWS::WAFv2::WebACL');
    const limits = {
      local: [60_000, 60_000, 1_000, 1_000],
      dev: [300, 600, 10, 20],
      prod: [1_200, 3_000, 60, 120],
    }[stageName];
    const ofToken = {
      AggregateKeyType: 'CUSTOM_KEYS',
      CustomKeys: [{ Header: { Name: 'authorization' } }],
    };
    const ofAddress = { AggregateKeyType: 'IP' };

    expect(acl?.properties.DefaultAction).toEqual({ Allow: {} });
    expect(rateRules()).toMatchObject(
      [ofToken, ofAddress, ofToken, ofAddress].map((aggregation, index) => ({
        Priority: index,
        Action: { Block: {} },
        rate: { ...aggregation, EvaluationWindowSec: 60, Limit: limits[index] },
        VisibilityConfig: { SampledRequestsEnabled: false },
      })),
    );
    expect(acl?.properties.VisibilityConfig).toMatchObject({ SampledRequestsEnabled: false });
  });

  const ofMethod = (method: string) => ({
    ByteMatchStatement: {
      FieldToMatch: { Method: {} },
      PositionalConstraint: 'EXACTLY',
      SearchString: method,
    },
  });

  const costlyCalls = () => {
    const costly = rateRules()[2]?.rate.ScopeDownStatement as Nested<'OrStatement'>;
    const [calls = [], searches = []] = costly.OrStatement.Statements.map(
      (both) => (both as unknown as Nested<'AndStatement'>).AndStatement.Statements,
    );
    return { costly, calls, searches };
  };

  it('counts the costly calls of a caller apart, however they are spelt', () => {
    const [all, , , costlyOfAddress] = rateRules().map(({ rate }) => rate.ScopeDownStatement);
    const { costly, calls } = costlyCalls();
    const [ending, method] = calls;
    const { RegexMatchStatement: match } = ending as { RegexMatchStatement: Properties };
    const isCostly = new RegExp(String(match?.RegexString));
    const pathOf = (path: string) => `/prod${path.replaceAll(/\{\w+\}/g, 'x')}`;
    const counted = ROUTES.filter(
      (route) => route.method === 'POST' && isCostly.test(pathOf(route.path)),
    );

    expect(all).toBeUndefined();
    expect(costlyOfAddress).toEqual(costly);
    expect(counted).toEqual(ROUTES.filter((route) => route.isCostly));
    // As the gateway reads them: a slash at the end, and an encoded slash within a parameter.
    expect(isCostly.test('/prod/integrations/x/test/')).toBe(true);
    expect(isCostly.test('/prod/integrations/x/y/test')).toBe(true);
    expect(match?.FieldToMatch).toEqual({ UriPath: {} });
    expect(match?.TextTransformations).toEqual([
      { Priority: 0, Type: 'URL_DECODE' },
      { Priority: 1, Type: 'NORMALIZE_PATH' },
    ]);
    // Not the read of an event whose id is `test`, nor the OPTIONS of a browser.
    expect(method).toMatchObject(ofMethod('POST'));
  });

  it('counts searches as costly, however they are spelt, and no other lists', () => {
    const [search, method] = costlyCalls().searches;
    const { RegexMatchStatement: match } = search as { RegexMatchStatement: Properties };
    const isSearch = new RegExp(String(match?.RegexString));

    expect(Object.keys(listDeliveries.query.shape)).toContain('about');
    expect(isSearch.test('about=msg_1')).toBe(true);
    expect(isSearch.test('limit=20&about=msg_1&outcome=fatal')).toBe(true);
    expect(isSearch.test('limit=20&eventType=message.received')).toBe(false);
    expect(isSearch.test('outcome=fatal&whereabout=1')).toBe(false);
    expect(method).toMatchObject(ofMethod('GET'));
    expect(match).toMatchObject({
      FieldToMatch: { QueryString: {} },
      TextTransformations: [{ Priority: 0, Type: 'URL_DECODE' }],
    });
  });

  it('keeps one caller from using up the costly routes of the others', () => {
    const { throttling } = settingsFor(stageName) as StageSettings;
    const mostOfACaller = Math.max(
      throttling.costlyPerMinuteAndToken,
      throttling.costlyPerMinuteAndAddress,
    );

    expect(throttling.costlyBurst).toBeGreaterThan(mostOfACaller);
    expect(throttling.costlyPerSecond * 60).toBeGreaterThan(2 * mostOfACaller);
  });

  it('has that throttle on the stage that is served', () => {
    const [association] = stage.all('AWS::WAFv2::WebACLAssociation');
    const [served] = stage.all('AWS::ApiGateway::Stage');

    expect(stage.pathOf(association?.properties.WebACLArn)).toMatch(/CallerThrottle\/WebAcl$/);
    expect(stage.pathOrText(association?.properties.ResourceArn)).toContain(served?.path);
  });
});

it.each(['local', 'dev'] as const)('The web ACL is left out of %s if asked to', (name) => {
  const stage = new SynthesisedStage(name, { webAcl: 'false' });
  expect(stage.all().filter(({ type }) => type.startsWith('AWS::WAF'))).toEqual([]);
});
