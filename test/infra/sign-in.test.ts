import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../lib/stages.ts';
import { type Properties, SynthesisedStage, synthesise } from './template.ts';

const SIGN_IN = {
  signInIssuer: 'http://localhost:4080/oidc',
  signInClientId: 'console',
  signInJwksUri: 'http://localhost:4080/oidc/jwks',
};

const variablesOfAuthorizer = (stage: SynthesisedStage) =>
  stage.all('AWS::Lambda::Function').flatMap(({ path, properties }) => {
    const { Variables } = properties.Environment as { Variables: Properties };
    return path === 'AuthorizeRequest/Function' ? [Variables] : [];
  });

describe('the sign-in of stage local', () => {
  it('is told to the authorizer', () => {
    expect(variablesOfAuthorizer(new SynthesisedStage('local', SIGN_IN))).toMatchObject([
      {
        SIGN_IN_ISSUER: 'http://localhost:4080/oidc',
        SIGN_IN_CLIENT_ID: 'console',
        SIGN_IN_JWKS_URI: 'http://localhost:4080/oidc/jwks',
      },
    ]);
  });

  it('is absent unless it is chosen', () => {
    const names = variablesOfAuthorizer(synthesise('local')).flatMap(Object.keys);
    expect(names).toContain('DIRECTORY_TABLE');
    expect(names.filter((name) => name.startsWith('SIGN_IN'))).toEqual([]);
  });

  it.each(Object.keys(SIGN_IN))('is refused without its %s', (missing) => {
    for (const value of [undefined, '', 7]) {
      expect(() => settingsFor('local', { ...SIGN_IN, [missing]: value })).toThrow(
        'A sign-in needs signInIssuer, signInClientId and signInJwksUri.',
      );
    }
  });

  it.each(['dev', 'prod'])('cannot be that of stage %s', (stage) => {
    expect(() => settingsFor(stage, SIGN_IN)).toThrow('at its user pool');
  });
});
