import { describe, expect, it } from 'vitest';
import { settingsFor, stageNames } from '../../lib/config.ts';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

const CONSOLE = 'https://console.example.com';

const preflights = (stage: SynthesisedStage) =>
  stage
    .all('AWS::ApiGateway::Method')
    .filter(({ properties }) => properties.HttpMethod === 'OPTIONS');

const corsOrigins = (stage: SynthesisedStage) =>
  stage.all('AWS::Lambda::Function').flatMap(({ properties }) => {
    const { CORS_ORIGIN } = (properties.Environment as { Variables: Properties }).Variables;
    return CORS_ORIGIN === undefined ? [] : [CORS_ORIGIN];
  });

describe.each(stageNames)('the API of %s', (name) => {
  it('lets no page of another site call it from a browser', () => {
    const stage = synthesise(name);

    expect(preflights(stage)).toEqual([]);
    expect(corsOrigins(stage)).toEqual([]);
    expect(JSON.stringify(stage.all())).not.toContain('Access-Control-Allow-Origin');
  });
});

describe('The API of a stage with a web console', () => {
  const stage = new SynthesisedStage('prod', { corsOrigin: CONSOLE });

  it('answers the preflight of every address, for that origin only', () => {
    const addresses = new Set(
      synthesise('prod')
        .all('AWS::ApiGateway::Method')
        .map(({ properties }) => JSON.stringify(properties.ResourceId)),
    );

    expect(preflights(stage).length).toBeGreaterThanOrEqual(addresses.size);
    for (const { properties } of preflights(stage)) {
      expect(properties.AuthorizationType).toBe('NONE');
      const [response] = (properties.Integration as Properties)
        .IntegrationResponses as Properties[];
      expect(response?.ResponseParameters).toMatchObject({
        'method.response.header.Access-Control-Allow-Origin': `'${CONSOLE}'`,
        'method.response.header.Access-Control-Allow-Headers':
          "'Authorization,Content-Type,Accept,If-Match,If-None-Match,Idempotency-Key'",
      });
    }
  });

  it('has every function of a route, and no other, allow it', () => {
    const functions = new Set(
      stage
        .all('AWS::ApiGateway::Method')
        .filter(({ properties }) => properties.HttpMethod !== 'OPTIONS')
        .map(({ properties }) => JSON.stringify((properties.Integration as Properties).Uri)),
    );

    expect(corsOrigins(stage)).toEqual(Array(functions.size).fill(CONSOLE));
  });

  it('leads there from the page at its own address', () => {
    const [home] = stage
      .all('AWS::Lambda::Function')
      .filter(({ path }) => path === 'GetHome/Function');

    expect(home?.properties.Environment).toMatchObject({ Variables: { CONSOLE_URL: CONSOLE } });
  });

  it('has the errors of the gateway allow it', () => {
    for (const { properties } of stage.all('AWS::ApiGateway::GatewayResponse')) {
      expect(properties.ResponseParameters).toMatchObject({
        'gatewayresponse.header.Access-Control-Allow-Origin': `'${CONSOLE}'`,
      });
    }
  });

  it.each(['*', 'null', 'console.example.com', `${CONSOLE}/`, `${CONSOLE}/console`, ''])(
    'cannot be given "%s", which is no origin',
    (corsOrigin) => {
      expect(() => settingsFor('prod', { corsOrigin })).toThrow(/must be an origin/);
    },
  );
});
