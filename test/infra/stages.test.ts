import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type StageSettings, stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { compose, type Properties, SynthesisedStage, synthesise } from './template.ts';

const loopbackFlags = (stage: SynthesisedStage) =>
  stage.all('AWS::Lambda::Function').flatMap(({ properties }) => {
    const { ALLOW_LOOPBACK } = (properties.Environment as { Variables: Properties }).Variables;
    return ALLOW_LOOPBACK === undefined ? [] : [ALLOW_LOOPBACK];
  });

/** Of the functions of both lanes. */
const attemptLines = (stage: SynthesisedStage) =>
  stage.all('AWS::Lambda::Function').flatMap(({ properties }) => {
    const { ATTEMPT_LINES } = (properties.Environment as { Variables: Properties }).Variables;
    return ATTEMPT_LINES ?? [];
  });

describe('stages', () => {
  it('have settings, and what is not a stage has none', () => {
    expect(
      ['local', 'dev', 'prod', 'staging', undefined].map((name) => settingsFor(name)?.stage),
    ).toEqual(['local', 'dev', 'prod', undefined, undefined]);
  });

  it('allow loopback endpoints in local', () => {
    expect(new Set(loopbackFlags(synthesise('local')))).toEqual(new Set(['true']));
  });

  it.each(['dev', 'prod'] as const)('do not allow loopback endpoints in %s', (name) => {
    expect(new Set(loopbackFlags(synthesise(name)))).toEqual(new Set(['false']));
  });

  it('cannot be typed to allow loopback endpoints where they are deployed', () => {
    expectTypeOf<
      Extract<StageSettings, { stage: 'dev' | 'prod' }>['allowLoopback']
    >().toEqualTypeOf<false>();
  });

  it.each([
    ['local', '1000'],
    ['dev', '100'],
    ['prod', '100'],
  ] as const)('limit the integrations of an account: in %s to %s', (name, quota) => {
    const quotas = synthesise(name)
      .all('AWS::Lambda::Function')
      .flatMap(({ properties }) => {
        const { Variables } = properties.Environment as { Variables: Properties };
        return Variables.INTEGRATIONS_PER_ACCOUNT ?? [];
      });
    expect(quotas).toEqual([quota]);
  });

  it.each([
    ['local', 'all'],
    ['dev', 'all'],
    ['prod', 'undelivered'],
  ] as const)('choose the attempts that have a log line: in %s %s', (name, lines) => {
    expect(attemptLines(synthesise(name))).toEqual([lines, lines]);
  });

  it('have a log line of every attempt where the deployment asks for it', () => {
    const stage = new SynthesisedStage('prod', { attemptLines: 'all' });

    expect(attemptLines(stage)).toEqual(['all', 'all']);
  });

  it('cannot be deployed with attempt lines that do not exist', () => {
    expect(() => settingsFor('prod', { attemptLines: 'none' })).toThrow(
      'attemptLines must be all or undelivered.',
    );
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

  it('stop the synthesis when something breaks one', () => {
    const { service, synthesiseTemplates } = compose('dev');
    new Queue(service, 'PlainHttpQueue');

    expect(synthesiseTemplates).toThrow(/AwsSolutions-SQS4/);
  });
});
