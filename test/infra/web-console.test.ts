import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { SECURITY_HEADERS } from '../../packages/console/serving/response-headers.ts';
import {
  type Json,
  type Properties,
  type Resource,
  type StageChoices,
  SynthesisedStage,
  synthesise,
} from './template.ts';

const BUCKET = 'WebConsole/Files/Bucket';

describe.each(['dev', 'prod'] as const)('The web console of %s', (stageName) => {
  const stage = synthesise(stageName);
  const only = (type: string): Resource => {
    const [found, ...others] = stage.all(type);
    if (!found || others.length > 0) throw new Error(`Not one ${type}.`);
    return found;
  };
  const distribution = only('AWS::CloudFront::Distribution').properties
    .DistributionConfig as Properties;
  const behavior = distribution.DefaultCacheBehavior as Properties;
  const headers = only('AWS::CloudFront::ResponseHeadersPolicy').properties
    .ResponseHeadersPolicyConfig as {
    SecurityHeadersConfig: Record<string, Properties>;
    CustomHeadersConfig: { Items: Properties[] };
  };
  const { ContentSecurityPolicy: csp, ...security } = headers.SecurityHeadersConfig;
  const publications = stage.all('Custom::CDKBucketDeployment').map(({ properties }) => properties);

  describe('has files that', () => {
    const bucket = only('AWS::S3::Bucket').properties;
    const statements = stage
      .all('AWS::S3::BucketPolicy')
      .flatMap(
        ({ properties }) => (properties.PolicyDocument as Properties).Statement as Properties[],
      );

    it('are encrypted, and public by no mistake', () => {
      expect(JSON.stringify(bucket.BucketEncryption)).toContain('AES256');
      expect(bucket.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
    });

    it('no caller without TLS can read', () => {
      expect(statements.filter(({ Effect }) => Effect === 'Deny')).toEqual([
        expect.objectContaining({
          Action: 's3:*',
          Principal: { AWS: '*' },
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      ]);
    });

    it('this distribution can read, and the stack’s removal deletes', () => {
      const [cleaner = {}, reader = {}, ...others] = statements.filter(
        ({ Effect }) => Effect === 'Allow',
      );

      expect(stage.pathOf((cleaner.Principal as Properties).AWS)).toMatch(
        /^Custom::S3AutoDeleteObjects/,
      );
      expect(reader).toMatchObject({
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
      });
      const { StringEquals } = reader.Condition as { StringEquals: Properties };
      expect(stage.pathOrText(StringEquals['AWS:SourceArn'])).toMatch(
        /:distribution\/WebConsole\/Distribution$/,
      );
      expect(others).toEqual([]);
    });

    it('only a deployment writes, and it writes nothing else', () => {
      const written = stage
        .addedByTheCdk('AWS::IAM::Policy')
        .flatMap(
          ({ properties }) => (properties.PolicyDocument as Properties).Statement as Properties[],
        )
        .filter(({ Action }) => (Action as string[]).some((action) => /Put|Delete/.test(action)))
        .flatMap(({ Resource }) => (Resource as Json[]).map((arn) => stage.pathOrText(arn)));

      expect(written).toEqual([BUCKET, `${BUCKET}/*`]);
    });

    it('browsers keep for a year if a changed file has another name', () => {
      expect(
        publications.map(({ DestinationBucketKeyPrefix, SystemMetadata }) => [
          DestinationBucketKeyPrefix,
          (SystemMetadata as Properties)['cache-control'],
        ]),
      ).toEqual([
        ['assets', 'public, max-age=31536000, immutable'],
        [undefined, 'no-cache'],
      ]);
    });

    it('stay where they are for pages that were loaded before a deployment', () => {
      expect(publications.map(({ Prune }) => Prune)).toEqual([false, false]);
      expect(only('AWS::S3::Bucket').properties.LifecycleConfiguration).toBeUndefined();
    });
  });

  it('tells its pages where the API is, and where to sign in and out', () => {
    const values = publications.flatMap(({ SourceMarkers = [] }) =>
      (SourceMarkers as Properties[]).flatMap((markers) =>
        Object.values(markers).map((value) => stage.pathOrText(value)),
      ),
    );

    expect(values.filter((value) => !value.startsWith('<AWS::'))).toEqual([
      'ServiceApi/Api',
      `ServiceApi/Api/DeploymentStage.${stageName}`,
      'ConsoleUsers/Pool',
      'WebConsole/Client',
      'ConsoleUsers/Pool/LoginPages',
    ]);
  });

  it('is reached by HTTPS only', () => {
    expect(behavior.ViewerProtocolPolicy).toBe('redirect-to-https');
  });

  it('may call the API and the sign-in of this stage, and nothing else', () => {
    const policy = stage.pathOrText(csp?.ContentSecurityPolicy);
    const directives = policy.split('; ');

    expect(directives).toContain(
      [
        "connect-src 'self'",
        'https://ServiceApi/Api.execute-api.<AWS::Region>.<AWS::URLSuffix>',
        'ConsoleUsers/Pool/',
        'https://ConsoleUsers/Pool/LoginPages.auth.<AWS::Region>.amazoncognito.com',
      ].join(' '),
    );
    expect(directives).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
    );
    expect(directives).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('sends the security headers that it has everywhere', () => {
    const own = headers.CustomHeadersConfig.Items.map(({ Header, Value }) => [Header, Value]);

    expect(security).toEqual({
      StrictTransportSecurity: {
        AccessControlMaxAgeSec: 31_536_000,
        IncludeSubdomains: true,
        Override: true,
      },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
    });
    expect({
      ...Object.fromEntries(own),
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
    }).toEqual(SECURITY_HEADERS);
    expect(stage.pathOf(behavior.ResponseHeadersPolicyId)).toBe('WebConsole/Headers');
  });

  it.each([
    ['/', '/index.html'],
    ['/accounts/acme/settings/integrations/8Fq2LmZ0aBcD', '/index.html'],
    ['/accounts/', '/index.html'],
    ['/index.html', '/index.html'],
    ['/config.json', '/config.json'],
    ['/assets/index-4f9a2b.js', '/assets/index-4f9a2b.js'],
  ])('answers %s with the file %s, be it there or not', (uri, file) => {
    const { FunctionCode } = only('AWS::CloudFront::Function').properties;
    const answered = runInNewContext(`${FunctionCode}; handler(event).uri`, {
      event: { request: { uri } },
    });

    expect(answered).toBe(file);
    expect(behavior.FunctionAssociations).toMatchObject([{ EventType: 'viewer-request' }]);
  });
});

const headersOf = (stage: SynthesisedStage) => {
  const { ResponseHeadersPolicyConfig } = stage.at('WebConsole/Headers');
  const { SecurityHeadersConfig: security, CustomHeadersConfig: custom } =
    ResponseHeadersPolicyConfig as Record<string, Record<string, Properties>>;
  const { ContentSecurityPolicy: csp, FrameOptions: frame, ...others } = security ?? {};
  return {
    csp: stage.pathOrText(csp?.ContentSecurityPolicy),
    frame,
    others: { ...others, custom },
  };
};

describe('A console that a platform embeds', () => {
  const stage = new SynthesisedStage('prod', {
    embedIn: ['https://a.example.com', 'https://b:8443'],
  });
  const plain = headersOf(synthesise('prod'));
  const embedded = headersOf(stage);

  it('may be framed by the origins that embedIn names, and differs in nothing else', () => {
    expect(plain.frame).toEqual({ FrameOption: 'DENY', Override: true });
    expect(embedded.frame).toBeUndefined();
    expect(embedded.others).toEqual(plain.others);
    expect(embedded.csp).toBe(
      plain.csp.replace(
        "frame-ancestors 'none'",
        'frame-ancestors https://a.example.com https://b:8443',
      ),
    );
  });
});

const PLATFORM = 'arn:aws:iam::444455556666:role/platform';

describe('A console whose platform has a page for it', () => {
  it('publishes its address with the page', () => {
    const published = (options: StageChoices) =>
      new SynthesisedStage('dev', { consoleLinkRoles: PLATFORM, ...options })
        .all('Custom::CDKBucketDeployment')
        .map(({ properties }) => JSON.stringify(properties.SourceObjectKeys));

    const [assets, page] = published({ platformUrl: 'https://app.example.com/webhooks' });
    expect(published({})[0]).toBe(assets);
    expect(published({})[1]).not.toBe(page);
  });
});

describe('A console without a user pool', () => {
  const stage = new SynthesisedStage('dev', { hasUserPool: false });

  it('has nothing of Cognito, and otherwise what a console has', () => {
    const withPool = synthesise('dev').all();
    const isOfCognito = ({ type }: Resource) => type.startsWith('AWS::Cognito');
    const pathsOf = (resources: readonly Resource[]) => resources.map(({ path }) => path);

    expect(withPool.filter(isOfCognito).length).toBeGreaterThan(3);
    expect(pathsOf(stage.all())).toEqual(
      pathsOf(withPool.filter((resource) => !isOfCognito(resource))),
    );
    expect(stage.outputs()).toContain('ConsoleUrl');
    expect(stage.outputs().filter((name) => /Pool|SignIn|Client/.test(name))).toEqual([]);
  });

  it('calls the API alone, which accepts access tokens alone', () => {
    const variables = Object.keys(stage.variablesOf('AuthorizeRequest'));

    expect(headersOf(stage).csp).toContain(
      "; connect-src 'self' https://ServiceApi/Api.execute-api.<AWS::Region>.<AWS::URLSuffix>; ",
    );
    expect(variables.filter((name) => name.startsWith('SIGN_IN'))).toEqual([]);
    expect(JSON.stringify(stage.all('Custom::CDKBucketDeployment'))).not.toContain('Pool');
  });
});

const NAME = 'console.example.com';
const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/1f0c6b3e-7a52-4d2b-9c11-0a';

const distributionOf = (stage: SynthesisedStage) =>
  stage.all('AWS::CloudFront::Distribution')[0]?.properties.DistributionConfig as Properties;

describe('A console with a name of its own', () => {
  const stage = new SynthesisedStage('prod', {
    consoleDomain: { name: NAME, certificateArn: CERTIFICATE },
  });
  const shown = (value: Json | undefined) => stage.pathOrText(value);

  it('answers to that name, with TLS 1.2 or later', () => {
    expect(distributionOf(stage)).toMatchObject({
      Aliases: [NAME],
      ViewerCertificate: {
        AcmCertificateArn: CERTIFICATE,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    });
  });

  it('has outputs for the DNS record of the name', () => {
    expect(stage.outputValues('ConsoleUrl')).toEqual([`https://${NAME}`]);
    expect(stage.outputValues('ConsoleDistributionName').map(shown)).toEqual([
      'WebConsole/Distribution',
    ]);
  });

  it('is the callback of the sign-in, and the origin that the API allows', () => {
    const [client] = stage.all('AWS::Cognito::UserPoolClient');
    const origins = Object.values(stage.variable('CORS_ORIGIN'));

    expect(client?.properties.CallbackURLs).toEqual([`https://${NAME}/signed-in`]);
    expect(new Set(origins)).toEqual(new Set([`https://${NAME}`]));
  });
});
