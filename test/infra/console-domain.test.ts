import { describe, expect, it } from 'vitest';
import { consoleDomainOf } from '../../lib/deployment-options.ts';
import { type Json, type Properties, SynthesisedStage, synthesise } from './template.ts';

const NAME = 'console.example.com';
const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/1f0c6b3e-7a52-4d2b-9c11-0a';

const distributionOf = (stage: SynthesisedStage) =>
  stage.all('AWS::CloudFront::Distribution')[0]?.properties.DistributionConfig as Properties;

describe('A console with a name of its own', () => {
  const stage = new SynthesisedStage('prod', {
    consoleDomain: { name: NAME, certificateArn: CERTIFICATE },
  });
  const shown = (value: Json | undefined) => stage.pathOrText(value);

  it('answers to that name, and to nobody with TLS older than 1.2', () => {
    expect(distributionOf(stage)).toMatchObject({
      Aliases: [NAME],
      ViewerCertificate: {
        AcmCertificateArn: CERTIFICATE,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    });
  });

  it('tells where the record of the name leads', () => {
    expect(stage.outputValues('ConsoleUrl')).toEqual([`https://${NAME}`]);
    expect(stage.outputValues('ConsoleDistributionName').map(shown)).toEqual([
      'WebConsole/Distribution',
    ]);
  });

  it('is where users come back to, and what the API allows', () => {
    const [client] = stage.all('AWS::Cognito::UserPoolClient');
    const origins = stage.all('AWS::Lambda::Function').flatMap(({ properties }) => {
      const { CORS_ORIGIN } = (properties.Environment as { Variables: Properties }).Variables;
      return CORS_ORIGIN ?? [];
    });

    expect(client?.properties.CallbackURLs).toEqual([`https://${NAME}/signed-in`]);
    expect(new Set(origins)).toEqual(new Set([`https://${NAME}`]));
  });
});

describe('The name of the console', () => {
  it("is CloudFront's unless one is given", () => {
    expect(consoleDomainOf(undefined, undefined)).toBeUndefined();
    expect(distributionOf(synthesise('prod'))).not.toHaveProperty('Aliases');
  });

  it('is given with its certificate', () => {
    expect(consoleDomainOf(NAME, CERTIFICATE)).toEqual({ name: NAME, certificateArn: CERTIFICATE });
  });

  it.each([
    [undefined, CERTIFICATE],
    ['https://console.example.com', CERTIFICATE],
    ['Console.example.com', CERTIFICATE],
    ['localhost', CERTIFICATE],
    [NAME, undefined],
    [NAME, CERTIFICATE.replace('us-east-1', 'eu-west-1')],
  ])('cannot be "%s" with the certificate "%s"', (name, certificate) => {
    expect(() => consoleDomainOf(name, certificate)).toThrow(/must be/);
  });
});
