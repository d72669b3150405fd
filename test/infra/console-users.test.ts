import { describe, expect, it } from 'vitest';
import { type Json, type Properties, synthesise } from './template.ts';

describe.each(['dev', 'prod'] as const)('Those who sign in to the console of %s', (stageName) => {
  const stage = synthesise(stageName);
  const pool = stage.all('AWS::Cognito::UserPool')[0]?.properties ?? {};
  const client = stage.all('AWS::Cognito::UserPoolClient')[0]?.properties ?? {};

  it('are made by an administrator, and cannot sign up', () => {
    expect(pool.AdminCreateUserConfig).toMatchObject({ AllowAdminCreateUserOnly: true });
  });

  it('sign in with their e-mail address, however it is spelt, and a long password', () => {
    expect(pool.UsernameAttributes).toEqual(['email']);
    expect(pool.UsernameConfiguration).toEqual({ CaseSensitive: false });
    expect((pool.Policies as Properties).PasswordPolicy).toEqual({
      MinimumLength: 12,
      RequireLowercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
      RequireUppercase: true,
      TemporaryPasswordValidityDays: 7,
    });
  });

  it('need an authenticator app in prod, and never get a code by SMS', () => {
    expect(pool.MfaConfiguration).toBe({ dev: 'OPTIONAL', prod: 'ON' }[stageName]);
    expect(pool.EnabledMfas).toEqual(['SOFTWARE_TOKEN_MFA']);
  });

  it('are known by the directory, and get no further rights from Cognito', () => {
    expect(client.AllowedOAuthScopes).toEqual(['openid']);
  });

  it('come back to this console only, with a code that their page alone can use', () => {
    const shown = (urls: Json | undefined) => (urls as Json[]).map((url) => stage.pathOrText(url));

    expect(client).toMatchObject({
      AllowedOAuthFlows: ['code'],
      GenerateSecret: false,
      SupportedIdentityProviders: ['COGNITO'],
    });
    expect(shown(client.CallbackURLs)).toEqual(['https://WebConsole/Distribution/signed-in']);
    expect(shown(client.LogoutURLs)).toEqual(['https://WebConsole/Distribution/signed-out']);
  });

  it('stay signed in for a working day, by tokens that are renewed twice an hour', () => {
    expect(client).toMatchObject({
      AccessTokenValidity: 30,
      IdTokenValidity: 30,
      RefreshTokenValidity: 12 * 60,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 },
      EnableTokenRevocation: true,
    });
  });

  it('are not told whether an address has a user', () => {
    expect(client.PreventUserExistenceErrors).toBe('ENABLED');
  });

  it('are found by the command line of administrators', () => {
    expect(stage.outputs(`integrations-${stageName}-state`)).toEqual(
      expect.arrayContaining(['UserPoolId', 'SignInIssuer']),
    );
  });

  it('are let in by the authorizer, with tokens of this pool for this console', () => {
    const { Environment } =
      stage.all('AWS::Lambda::Function').find(({ path }) => path === 'AuthorizeRequest/Function')
        ?.properties ?? {};
    const { Variables } = Environment as { Variables: Properties };

    expect(stage.pathOrText(Variables.SIGN_IN_ISSUER)).toBe('ConsoleUsers/Pool');
    expect(stage.pathOrText(Variables.SIGN_IN_JWKS_URI)).toBe(
      'ConsoleUsers/Pool/.well-known/jwks.json',
    );
    expect(stage.pathOrText(Variables.SIGN_IN_CLIENT_ID)).toBe('WebConsole/Client');
  });

  it('get back in by e-mail', () => {
    expect(pool.AccountRecoverySetting).toEqual({
      RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }],
    });
  });

  it('see a page to sign in on, at an address that no other stage has', () => {
    const [domain] = stage.all('AWS::Cognito::UserPoolDomain');
    const [style] = stage.all('AWS::Cognito::ManagedLoginBranding');

    expect(domain?.properties.ManagedLoginVersion).toBe(2);
    expect(domain?.properties.Domain).toEqual({
      'Fn::Join': [
        '',
        [
          `integrations-${stageName}-`,
          { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] },
        ],
      ],
    });
    expect(style?.properties.UseCognitoProvidedValues).toBe(true);
    expect(stage.pathOf(style?.properties.ClientId)).toBe('WebConsole/Client');
  });
});
