import { describe, expect, it } from 'vitest';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

const preflights = (stage: SynthesisedStage) =>
  stage
    .all('AWS::ApiGateway::Method')
    .filter(({ properties }) => properties.HttpMethod === 'OPTIONS');

/** The origins that the functions allow. */
const allowed = (stage: SynthesisedStage): string[] =>
  Object.values(stage.variable('CORS_ORIGIN')).map((origin) => stage.pathOrText(origin));

describe('The API of a stage without a web console', () => {
  const stage = synthesise('local');

  it('lets no page of another site call it from a browser', () => {
    expect(preflights(stage)).toEqual([]);
    expect(allowed(stage)).toEqual([]);
    expect(JSON.stringify(stage.all())).not.toContain('Access-Control-Allow-Origin');
  });
});

describe.each([
  ['dev', synthesise('dev'), 'https://WebConsole/Distribution'],
  ['prod', synthesise('prod'), 'https://WebConsole/Distribution'],
  [
    'local beside a console',
    new SynthesisedStage('local', { consoleOrigin: 'http://localhost:4080' }),
    'http://localhost:4080',
  ],
] as const)('The API of %s', (_, stage, origin) => {
  it("answers the preflight of every address, for the console's origin only", () => {
    const addresses = new Set(
      stage
        .all('AWS::ApiGateway::Method')
        .map(({ properties }) => JSON.stringify(properties.ResourceId)),
    );

    expect(preflights(stage)).toHaveLength(addresses.size);
    for (const { properties } of preflights(stage)) {
      expect(properties.AuthorizationType).toBe('NONE');
      const [response] = (properties.Integration as Properties)
        .IntegrationResponses as Properties[];
      const headers = response?.ResponseParameters as Properties;
      expect(stage.pathOrText(headers['method.response.header.Access-Control-Allow-Origin'])).toBe(
        `'${origin}'`,
      );
      expect(headers['method.response.header.Access-Control-Allow-Headers']).toBe(
        "'Authorization,Content-Type,Accept,If-Match,If-None-Match,Idempotency-Key'",
      );
    }
  });

  it('has every function of a documented route, and no other, allow it', () => {
    const functions = new Set(
      stage
        .all('AWS::ApiGateway::Method')
        .filter(({ properties }) => properties.HttpMethod !== 'OPTIONS')
        .map(({ properties }) => JSON.stringify((properties.Integration as Properties).Uri))
        .filter((uri) => !uri.includes('ReceiveCanary')),
    );

    expect(allowed(stage)).toEqual(Array(functions.size).fill(origin));
  });

  it('leads there from the page at its own address', () => {
    const { CONSOLE_URL } = stage.variablesOf('ServeReference');

    expect(stage.pathOrText(CONSOLE_URL)).toBe(origin);
  });

  it('has the errors of the gateway allow it', () => {
    for (const { properties } of stage.all('AWS::ApiGateway::GatewayResponse')) {
      const headers = properties.ResponseParameters as Properties;
      expect(stage.pathOrText(headers['gatewayresponse.header.Access-Control-Allow-Origin'])).toBe(
        `'${origin}'`,
      );
    }
  });
});
