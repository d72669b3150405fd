import { describe, expect, it } from 'vitest';
import { deploymentIn, type GivenOptions, optionsOf } from '../../lib/deployment-options.ts';
import { type Json, type Properties, SynthesisedStage, synthesise } from './template.ts';

const NAME = 'api.example.com';
const CERTIFICATE = 'arn:aws:acm:eu-west-1:111122223333:certificate/1f0c6b3e-7a52-4d2b-9c11-0a';

describe('An API with a domain of its own', () => {
  const stage = new SynthesisedStage('prod', {
    apiDomain: { name: NAME, certificateArn: CERTIFICATE },
  });
  const shown = (value: Json | undefined) => stage.pathOrText(value ?? null);
  const only = (type: string) => stage.all(type)[0]?.properties ?? {};

  it('answers to that name in the region of the stage, with TLS 1.2 or later', () => {
    expect(only('AWS::ApiGateway::DomainName')).toMatchObject({
      DomainName: NAME,
      RegionalCertificateArn: CERTIFICATE,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'TLS_1_2',
    });
  });

  it('has the deployed stage at the root of the name', () => {
    const { BasePath, DomainName, RestApiId, Stage } = only('AWS::ApiGateway::BasePathMapping');

    expect(BasePath).toBeUndefined();
    expect([DomainName, RestApiId, Stage].map(shown)).toEqual([
      'ServiceApi/Domain/Name',
      'ServiceApi/Api',
      'ServiceApi/Api/DeploymentStage.prod',
    ]);
  });

  it('answers the gateway’s problems with types that resolve at the name', () => {
    const templates = stage
      .all('AWS::ApiGateway::GatewayResponse')
      .map(({ properties }) => (properties.ResponseTemplates as Properties)['application/json']);

    expect(templates.length).toBeGreaterThan(15);
    for (const template of templates) expect(template).toMatch(/"type":"\/problems\/[a-z-]+"/);
  });

  it('has outputs with its address, and for the DNS record of the name', () => {
    expect(stage.outputValues('ApiUrl')).toEqual([`https://${NAME}`]);
    expect(stage.outputValues('ApiDomainTarget')).toEqual([
      { 'Fn::GetAtt': [expect.any(String), 'RegionalDomainName'] },
    ]);
  });

  it('is refused to webhooks, as are the other names of API and console', () => {
    const origins = stage
      .all('AWS::Lambda::Function')
      .filter(({ path }) => path === 'ChangeApi/Function')
      .map(({ properties }) => (properties.Environment as Properties).Variables as Properties)
      .flatMap(({ OWN_ORIGINS }) => shown(OWN_ORIGINS).split(' '));

    expect(origins).toEqual([
      `https://${NAME}`,
      'https://ServiceApi/Api.execute-api.<AWS::Region>.<AWS::URLSuffix>',
      expect.stringContaining('https://WebConsole/'),
    ]);
  });

  it('is the only address that the console’s pages call beside the sign-in', () => {
    const { SecurityHeadersConfig } = only('AWS::CloudFront::ResponseHeadersPolicy')
      .ResponseHeadersPolicyConfig as Record<string, Record<string, Properties>>;
    const policy = shown(SecurityHeadersConfig?.ContentSecurityPolicy?.ContentSecurityPolicy);
    const published = JSON.stringify(stage.all('Custom::CDKBucketDeployment'));

    expect(policy).toContain(`connect-src 'self' https://${NAME} `);
    expect(policy).not.toContain('execute-api');
    expect(published).not.toContain('ServiceApi');
  });

  it('refuses a region other than that of the certificate', () => {
    const [rule] = Object.entries(stage.rules).filter(([name]) => /CertificateRegion/.test(name));

    expect(rule?.[1]).toMatchObject({
      Assertions: [{ Assert: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-west-1'] } }],
    });
  });
});

const apiDomainOf = (given: GivenOptions) =>
  deploymentIn('prod', optionsOf('prod', given)).apiDomain;

describe('The domain of the API', () => {
  it("is API Gateway's unless one is given", () => {
    expect(apiDomainOf({})).toBeUndefined();
    expect(synthesise('prod').all('AWS::ApiGateway::DomainName')).toEqual([]);
  });

  it('is given with its certificate, of any region', () => {
    expect(apiDomainOf({ apiDomain: NAME, apiCertificateArn: CERTIFICATE })).toEqual({
      name: NAME,
      certificateArn: CERTIFICATE,
    });
  });

  it.each([
    [undefined, CERTIFICATE, 'apiDomain and apiCertificateArn must be given together'],
    ['https://api.example.com', CERTIFICATE, 'apiDomain must be'],
    [NAME, undefined, 'apiDomain and apiCertificateArn must be given together'],
    [NAME, CERTIFICATE.replace('acm', 'iam'), 'apiCertificateArn must be'],
  ])('cannot be "%s" with the certificate "%s"', (name, certificate, problem) => {
    expect(() => apiDomainOf({ apiDomain: name, apiCertificateArn: certificate })).toThrow(problem);
  });
});
