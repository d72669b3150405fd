import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { deploymentIn, type GivenOptions, optionsOf } from '../../lib/deployment-options.ts';
import { type StageSettings, stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { compose, type Properties, SynthesisedStage, synthesise } from './template.ts';

describe('stages', () => {
  it('have settings, and what is not a stage has none', () => {
    expect(
      ['local', 'dev', 'prod', 'staging', undefined].map((name) => settingsFor(name)?.stage),
    ).toEqual(['local', 'dev', 'prod', undefined, undefined]);
  });

  it.each([
    ['ALLOW_LOOPBACK', 5, { local: 'true', dev: 'false', prod: 'false' }],
    // The functions of both lanes.
    ['ATTEMPT_LINES', 2, { local: 'all', dev: 'all', prod: 'undelivered' }],
  ])('give their functions %s', (variable, functions, expected) => {
    for (const name of stageNames) {
      const values = Object.values(synthesise(name).variable(variable));
      expect(values, name).toEqual(Array(functions).fill(expected[name]));
    }
  });

  it('cannot be typed to allow loopback endpoints where they are deployed', () => {
    expectTypeOf<
      Extract<StageSettings, { stage: 'dev' | 'prod' }>['allowLoopback']
    >().toEqualTypeOf<false>();
  });

  it('log every attempt if the deployment chooses that', () => {
    const stage = new SynthesisedStage('prod', { attemptLines: 'all' });
    expect(Object.values(stage.variable('ATTEMPT_LINES'))).toEqual(['all', 'all']);
  });

  it('refuse to be deployed to AWS as local, and only as local', () => {
    const guarded = stageNames.filter((name) => 'LocalOnly' in synthesise(name).rules);

    expect(guarded).toEqual(['local']);
  });

  it('have stacks of their own, named for them', () => {
    expect(synthesise('prod').stacks.map(({ stackName }) => stackName)).toEqual([
      'integrations-prod-state',
      'integrations-prod-service',
    ]);
  });
});

describe('the AwsSolutions rules', () => {
  it.each(stageNames)('find nothing in %s without a written reason', (name) => {
    expect(() => synthesise(name)).not.toThrow();
  });

  it.each([
    { account: '111122223333' },
    { region: 'eu-west-1' },
    { account: '111122223333', region: 'eu-west-1' },
  ])('find nothing in a stage for %o', (env) => {
    expect(() => new SynthesisedStage('prod', { env })).not.toThrow();
  });

  it('stop the synthesis when something breaks one', () => {
    const { service, synthesiseTemplates } = compose('dev');
    new Queue(service, 'PlainHttpQueue');

    expect(synthesiseTemplates).toThrow(/AwsSolutions-SQS4/);
  });
});

const SIGN_IN = {
  signInIssuer: 'http://localhost:4080/oidc',
  signInClientId: 'console',
  signInJwksUri: 'http://localhost:4080/oidc/jwks',
};

describe('A choice of a deployment', () => {
  it.each([
    ['prod', { webAcl: 'true' }, { webAcl: true }],
    ['dev', { canary: 'true' }, { canary: true }],
    ['prod', { canary: 'false' }, { canary: false }],
    ['prod', { mailFrom: 'webhooks@example.com' }, { mailFrom: 'webhooks@example.com' }],
    ['dev', { dashboard: 'true' }, { dashboard: true }],
    ['prod', { dashboard: 'false' }, { dashboard: false }],
    ['dev', { alarms: 'false', dashboard: 'false' }, { alarms: false, dashboard: false }],
    ['local', { hourSeconds: 60 }, { retryIntervalMs: 60_000 }],
  ])('is a setting: %s %o', (stage, choices, settings) => {
    expect(settingsFor(stage, choices)).toMatchObject(settings);
  });

  it('is what local signs in with, and nothing by default', () => {
    expect(new SynthesisedStage('local', SIGN_IN).variablesOf('AuthorizeRequest')).toMatchObject({
      SIGN_IN_ISSUER: 'http://localhost:4080/oidc',
      SIGN_IN_CLIENT_ID: 'console',
      SIGN_IN_JWKS_URI: 'http://localhost:4080/oidc/jwks',
    });
    const names = Object.keys(synthesise('local').variablesOf('AuthorizeRequest'));
    expect(names).toContain('DIRECTORY_TABLE');
    expect(names.filter((name) => name.startsWith('SIGN_IN'))).toEqual([]);
  });
});

const modesOf = (stage: SynthesisedStage) => [
  ...stage
    .all('AWS::Lambda::Function')
    .map(({ properties }) => (properties.TracingConfig as Properties | undefined)?.Mode),
  ...stage.all('AWS::ApiGateway::Stage').map(({ properties }) => properties.TracingEnabled),
];

/** The roles of functions that may send traces. */
const sendingRoles = (stage: SynthesisedStage) =>
  stage
    .all('AWS::IAM::Role')
    .filter(({ properties }) => JSON.stringify(properties).includes('"xray:PutTraceSegments"'));

describe('tracing', () => {
  const untraced = stageNames.map((name) => [name, synthesise(name)] as const);
  const traced = new SynthesisedStage('prod', { tracing: 'true' });

  it.each(untraced)('is off in %s unless the deployment asks for it', (_, stage) => {
    expect(new Set(modesOf(stage))).toEqual(new Set([undefined]));
    expect(sendingRoles(stage)).toEqual([]);
  });

  it('is of every function and of the API, and adds no resource', () => {
    expect(new Set(modesOf(traced))).toEqual(new Set(['Active', true]));
    expect(sendingRoles(traced)).toHaveLength(traced.all('AWS::Lambda::Function').length);
    expect(traced.all()).toHaveLength(synthesise('prod').all().length);
  });
});

const NAME = 'console.example.com';
const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/1f0c6b3e-7a52-4d2b-9c11-0a';

const consoleDomainOf = (given: GivenOptions) =>
  deploymentIn('prod', optionsOf('prod', given)).consoleDomain;

describe('The name of the console', () => {
  it("is CloudFront's unless one is given", () => {
    expect(consoleDomainOf({})).toBeUndefined();
    const { DistributionConfig } = synthesise('prod').at('WebConsole/Distribution');
    expect(DistributionConfig).not.toHaveProperty('Aliases');
  });

  it('is given with its certificate', () => {
    expect(consoleDomainOf({ consoleDomain: NAME, consoleCertificateArn: CERTIFICATE })).toEqual({
      name: NAME,
      certificateArn: CERTIFICATE,
    });
  });

  it.each([
    [undefined, CERTIFICATE],
    ['https://console.example.com', CERTIFICATE],
    ['Console.example.com', CERTIFICATE],
    ['localhost', CERTIFICATE],
    [NAME, undefined],
    [NAME, CERTIFICATE.replace('us-east-1', 'eu-west-1')],
  ])('cannot be "%s" with the certificate "%s"', (consoleDomain, consoleCertificateArn) => {
    expect(() => consoleDomainOf({ consoleDomain, consoleCertificateArn })).toThrow(/must be/);
  });
});
