import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../lambdas/api/runtime/route.ts';
import { stageNames } from '../../lib/stage-settings.ts';
import { throttlesOf } from './method-throttles.ts';
import { type Properties, SynthesisedStage, synthesise, synthesiseWithLinks } from './template.ts';

type Nested<Operator extends string> = Record<Operator, { Statements: Properties[] }>;

describe.each(stageNames)('the API of %s', (stageName) => {
  const stage = synthesiseWithLinks(stageName);
  const deployed: Properties = stage.all('AWS::ApiGateway::Stage')[0]?.properties ?? {};

  it('is throttled by what is behind each method', () => {
    const [reads, changes, platform, costly, documents] = {
      local: [
        { rate: 1_000, burst: 1_000 },
        { rate: 1_000, burst: 1_000 },
        { rate: 1_000, burst: 1_000 },
        { rate: 100, burst: 2_000 },
        { rate: 1_000, burst: 1_000 },
      ],
      dev: [
        { rate: 50, burst: 8 },
        { rate: 5, burst: 5 },
        { rate: 10, burst: 5 },
        { rate: 2, burst: 5 },
        { rate: 20, burst: 8 },
      ],
      prod: [
        { rate: 600, burst: 14 },
        { rate: 80, burst: 14 },
        { rate: 100, burst: 14 },
        { rate: 50, burst: 20 },
        { rate: 400, burst: 7 },
      ],
    }[stageName];
    const throttleOf = throttlesOf(stage);

    for (const { access, isCostly, method, path } of ROUTES) {
      const usual = isCostly ? costly : method === 'GET' ? reads : changes;
      const isOfPlatform = access === 'platform' || access === 'code';
      const expected = access === 'public' ? documents : isOfPlatform ? platform : usual;
      expect(throttleOf(method, path), `${method} ${path}`).toEqual(expected);
      if (access === 'public') expect(throttleOf('HEAD', path), path).toEqual(documents);
    }
    if (stageName === 'prod') expect(throttleOf('POST', '/_canary')).toEqual(documents);
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
      local: [6_000, 6_000, 600, 600, 6_000, 6_000],
      dev: [300, 300, 12, 12, 120, 60],
      prod: [600, 3_000, 60, 240, 300, 600],
    }[stageName];
    const ofToken = {
      AggregateKeyType: 'CUSTOM_KEYS',
      CustomKeys: [{ Header: { Name: 'authorization' } }],
    };
    const ofAddress = { AggregateKeyType: 'IP' };

    expect(acl?.properties.DefaultAction).toEqual({ Allow: {} });
    expect(rateRules()).toMatchObject(
      [ofToken, ofAddress, ofToken, ofAddress, ofAddress, ofAddress].map((aggregation, index) => ({
        Priority: index,
        Action: { Block: {} },
        rate: { ...aggregation, EvaluationWindowSec: 60, Limit: limits[index] },
        VisibilityConfig: { SampledRequestsEnabled: false },
      })),
    );
    expect(acl?.properties.VisibilityConfig).toMatchObject({ SampledRequestsEnabled: false });
  });

  const scopes = () => rateRules().map(({ rate }) => rate.ScopeDownStatement);
  const regexOf = (
    statement: Properties | undefined,
  ): Record<string, unknown> & { matches: RegExp } => {
    const match = statement?.RegexMatchStatement as Properties;
    return { ...match, matches: new RegExp(String(match.RegexString)) };
  };

  it('counts the writes and costly reads of a caller apart', () => {
    const [all, allOfAddress, costly, costlyOfAddress] = scopes();
    const [changes, reads] = (costly as Nested<'OrStatement'>).OrStatement.Statements;
    const [writes, others] = (changes as unknown as Nested<'AndStatement'>).AndStatement.Statements;
    const both = (reads as unknown as Nested<'AndStatement'>).AndStatement.Statements;
    const { matches: isWrite, ...method } = regexOf(writes);
    const { matches: isCostly, ...query } = regexOf(both[0]);

    expect([all, allOfAddress]).toEqual([undefined, undefined]);
    expect(costlyOfAddress).toEqual(costly);
    const notThese = others?.NotStatement as Properties | undefined;
    expect(notThese?.Statement).toEqual(scopes()[5]);
    expect(method.FieldToMatch).toEqual({ Method: {} });
    // Not the preflights of a browser.
    expect(['GET', 'HEAD', 'OPTIONS'].filter((name) => isWrite.test(name))).toEqual([]);
    expect(ROUTES.filter((route) => route.method !== 'GET' && !isWrite.test(route.method))).toEqual(
      [],
    );
    const withAbout = ROUTES.filter(({ query }: Route) => query?.shape.about !== undefined);
    expect(withAbout).toEqual(ROUTES.filter((route) => route.method === 'GET' && route.isCostly));
    for (const about of ['about=msg_1', 'limit=20&about=msg_1', 'limit=20&outcome=fatal']) {
      expect(isCostly.test(about), about).toBe(true);
    }
    expect(isCostly.test('limit=20&since=2026-11-20T12:00:00Z&whereabout=1')).toBe(false);
    expect(query).toMatchObject({
      FieldToMatch: { QueryString: {} },
      TextTransformations: [{ Priority: 0, Type: 'URL_DECODE' }],
    });
    expect(regexOf(both[1]).matches.test('GET')).toBe(true);
  });

  it('counts the platform’s calls and openings of links, and no path like them', () => {
    const [path, method] = (scopes()[5] as unknown as Nested<'AndStatement'>).AndStatement
      .Statements;
    const { matches: isOfPlatform, ...field } = regexOf(path);
    const called = ({ path: declared }: Route) => declared.replaceAll(/\{\w+\}/g, 'x');
    const counted = (at: string) =>
      ROUTES.filter(
        (route) => route.method !== 'GET' && isOfPlatform.test(`${at}${called(route)}`),
      );

    const wanted = ROUTES.filter(({ access }) => access === 'platform' || access === 'code');
    expect(wanted).toHaveLength(3);
    expect(counted('')).toEqual(wanted);
    expect(counted(`/${stageName}`)).toEqual(wanted);
    expect(counted('/other')).toEqual([]);
    expect(isOfPlatform.test('/integrations/x/accounts/x/console-links')).toBe(false);
    expect(isOfPlatform.test('/users/x/signature/more')).toBe(false);
    expect(field).toMatchObject({ FieldToMatch: { UriPath: {} } });
    expect(wanted.filter((route) => !regexOf(method).matches.test(route.method))).toEqual([]);
    expect(regexOf(method).matches.test('GET')).toBe(false);
  });

  it('counts the calls of public routes apart, with and without a token', () => {
    const [path, method] = (scopes()[4] as unknown as Nested<'AndStatement'>).AndStatement
      .Statements;
    const { matches: isPublic, ...field } = regexOf(path);
    const pathsOf = ({ path: declared }: (typeof ROUTES)[number]) => {
      const called = declared.replaceAll(/\{\w+\}/g, 'x').replace(/\/$/, '');
      return [called, `${called}/`, `/${stageName}${called}`, `/${stageName}${called}/`];
    };
    const counted = ROUTES.filter((route) => pathsOf(route).some((each) => isPublic.test(each)));

    expect(counted).toEqual(ROUTES.filter(({ access }) => access === 'public'));
    expect(counted.flatMap(pathsOf).filter((each) => !isPublic.test(each))).toEqual([]);
    expect(isPublic.test(`/${stageName}`)).toBe(true);
    if (stageName === 'prod') expect(isPublic.test('/prod/_canary')).toBe(true);
    expect(field).toMatchObject({
      FieldToMatch: { UriPath: {} },
      TextTransformations: [
        { Priority: 0, Type: 'URL_DECODE' },
        { Priority: 1, Type: 'NORMALIZE_PATH' },
      ],
    });
    expect(String(field.RegexString).length).toBeLessThanOrEqual(512);
    const { matches: isCall } = regexOf(method);
    expect(['GET', 'HEAD', 'POST', 'OPTIONS'].filter((each) => isCall.test(each))).toEqual([
      'GET',
      'HEAD',
      'POST',
    ]);
  });

  it('has that throttle on the stage that is served', () => {
    const [association] = stage.all('AWS::WAFv2::WebACLAssociation');
    const [served] = stage.all('AWS::ApiGateway::Stage');

    expect(stage.pathOf(association?.properties.WebACLArn)).toMatch(/CallerThrottle\/WebAcl$/);
    expect(stage.pathOrText(association?.properties.ResourceArn)).toContain(served?.path);
  });
});

it('A stage without links to the console has no rule for the platform', () => {
  const names = (stage: SynthesisedStage) =>
    stage
      .all('AWS::WAFv2::WebACL')
      .flatMap(({ properties }) => (properties.Rules as Properties[]).map(({ Name }) => Name));

  expect(names(synthesiseWithLinks('prod')).toSpliced(5)).toEqual(names(synthesise('prod')));
});

it.each(['local', 'dev'] as const)('The web ACL is left out of %s if asked to', (name) => {
  const stage = new SynthesisedStage(name, { webAcl: 'false' });
  expect(stage.all().filter(({ type }) => type.startsWith('AWS::WAF'))).toEqual([]);
});
