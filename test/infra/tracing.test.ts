import { describe, expect, it } from 'vitest';
import { stageNames } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

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

  it('is on or off, and nothing else', () => {
    expect(() => settingsFor('prod', { tracing: 'sampled' })).toThrow(
      'tracing must be true or false.',
    );
  });
});
