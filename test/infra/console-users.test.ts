import { describe, expect, it } from 'vitest';
import { type Json, type Properties, SynthesisedStage, synthesise } from './template.ts';

describe.each(['dev', 'prod'] as const)('The users of the console of %s', (stageName) => {
  const stage = synthesise(stageName);
  const pool = stage.all('AWS::Cognito::UserPool')[0]?.properties ?? {};
  const client = stage.all('AWS::Cognito::UserPoolClient')[0]?.properties ?? {};

  it('are created by an administrator, and cannot sign up', () => {
    expect(pool.AdminCreateUserConfig).toMatchObject({ AllowAdminCreateUserOnly: true });
  });

  it('sign in with their e-mail address in any case, and a long password', () => {
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

  it('need an authenticator app in prod, recover by e-mail, and get no SMS', () => {
    expect(pool.MfaConfiguration).toBe({ dev: 'OPTIONAL', prod: 'ON' }[stageName]);
    expect(pool.EnabledMfas).toEqual(['SOFTWARE_TOKEN_MFA']);
    expect(pool.AccountRecoverySetting).toEqual({
      RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }],
    });
  });

  it('get no rights from Cognito, nor learn whether an address has a user', () => {
    expect(client.AllowedOAuthScopes).toEqual(['openid']);
    expect(client.PreventUserExistenceErrors).toBe('ENABLED');
  });

  it('return to this console only, with a code that only their page can use', () => {
    const shown = (urls: Json | undefined) => (urls as Json[]).map((url) => stage.pathOrText(url));

    expect(client).toMatchObject({
      AllowedOAuthFlows: ['code'],
      GenerateSecret: false,
      SupportedIdentityProviders: ['COGNITO'],
    });
    expect(shown(client.CallbackURLs)).toEqual(['https://WebConsole/Distribution/signed-in']);
    expect(shown(client.LogoutURLs)).toEqual(['https://WebConsole/Distribution/signed-out']);
  });

  it('stay signed in for a working day, by tokens of half an hour', () => {
    expect(client).toMatchObject({
      AccessTokenValidity: 30,
      IdTokenValidity: 30,
      RefreshTokenValidity: 12 * 60,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 },
      EnableTokenRevocation: true,
    });
  });

  it('are found by the command line of administrators', () => {
    expect(stage.outputs(`integrations-${stageName}-state`)).toEqual(
      expect.arrayContaining(['UserPoolId', 'SignInIssuer']),
    );
  });

  it('are authorized with tokens of this pool for this console', () => {
    const shown = (name: string) => stage.pathOrText(stage.variablesOf('AuthorizeRequest')[name]);

    expect(shown('SIGN_IN_ISSUER')).toBe('ConsoleUsers/Pool');
    expect(shown('SIGN_IN_JWKS_URI')).toBe('ConsoleUsers/Pool/.well-known/jwks.json');
    expect(shown('SIGN_IN_CLIENT_ID')).toBe('WebConsole/Client');
  });

  it('sign in on a page whose address no other stage has', () => {
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

describe('The invitation of a user', () => {
  const invitationOf = (stage: SynthesisedStage): string => {
    const { InviteMessageTemplate } = stage.at('ConsoleUsers/Pool')
      .AdminCreateUserConfig as Properties;
    return String((InviteMessageTemplate as Properties).EmailMessage);
  };
  const usual = invitationOf(synthesise('prod'));

  it('says that the e-mail address is the name to sign in with', () => {
    expect(usual).toContain('with the e-mail address to which this message was sent.');
  });

  it('has the user name, which may be a UUID, for questions only', () => {
    expect(usual.match(/\{[^}]*\}/g)).toEqual(['{####}', '{username}']);
    expect(usual).toMatch(/name your user: \{username\}$/);
  });

  it('ends the line after the password', () => {
    expect(usual).toContain(' {####}<br>');
  });

  it('names the page of a console with a domain of its own', () => {
    const stage = new SynthesisedStage('dev', {
      consoleDomain: {
        name: 'console.example.com',
        certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0123',
      },
    });

    expect(invitationOf(stage)).toMatch(/console at https:\/\/console\.example\.com with the/);
  });
});
