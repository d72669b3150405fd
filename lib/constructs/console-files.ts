import { join } from 'node:path';
import {
  Aws,
  type CfnElement,
  DefaultStackSynthesizer,
  Duration,
  RemovalPolicy,
  Stack,
  Token,
  Validations,
} from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { ConsoleConfig } from '../../packages/console/serving/console-config.ts';
import {
  contentSecurityPolicy,
  SECURITY_HEADERS,
} from '../../packages/console/serving/response-headers.ts';
import type { StageSettings } from '../stage-settings.ts';

/** The private bucket with the files of the web console. All of it can be built again. */
export class ConsoleFiles extends Construct {
  readonly bucket: Bucket;
  readonly #settings: StageSettings;

  constructor(scope: Construct, id: string, { settings }: { readonly settings: StageSettings }) {
    super(scope, id);
    this.#settings = settings;
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'CloudFront alone reads the files, which everybody may have.',
    });
  }

  /** Puts the built files of a directory into the bucket, and `config.json` beside them. */
  publish(directory: string, config: ConsoleConfig): void {
    const common = {
      destinationBucket: this.bucket,
      // A page that was loaded before a deployment goes on with its own assets. A lifecycle rule
      // would go by age, and also delete the assets of a stage that is not deployed for long.
      prune: false,
      memoryLimit: 1_024,
      logGroup: new LogGroup(this, 'PublicationLog', {
        retention: this.#settings.logRetentionDays,
        removalPolicy: this.#settings.removalPolicy,
      }),
    };
    const assets = new BucketDeployment(this, 'Assets', {
      ...common,
      sources: [Source.asset(join(directory, 'assets'))],
      destinationKeyPrefix: 'assets',
      // A file of other content has another name.
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const page = new BucketDeployment(this, 'Page', {
      ...common,
      sources: [
        Source.asset(directory, { exclude: ['assets', '.*'] }),
        Source.jsonData('config.json', config),
      ],
      cacheControl: [CacheControl.noCache()],
    });
    // The new page is not served before its assets.
    page.node.addDependency(assets);
    this.#acknowledgeFindings(assets);
  }

  /** One function of the CDK makes all such deployments of the stack. */
  #acknowledgeFindings({ handlerRole }: BucketDeployment): void {
    const stack = Stack.of(this);
    const { bootstrapQualifier = DefaultStackSynthesizer.DEFAULT_QUALIFIER } = stack.synthesizer;
    const bucketId = stack.getLogicalId(this.bucket.node.defaultChild as CfnElement);
    Validations.of(handlerRole.node.scope ?? this).acknowledge(
      { id: 'AwsSolutions-L1', reason: 'The CDK chooses the runtime of its own function.' },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
        reason: 'The CDK gives its own function this policy, to write its log.',
      },
      ...[
        'Action::s3:GetObject*',
        'Action::s3:GetBucket*',
        'Action::s3:List*',
        'Action::s3:DeleteObject*',
        'Action::s3:Abort*',
        `Resource::arn:${shown(stack.partition, 'Partition')}:s3:::cdk-${bootstrapQualifier}-assets-${shown(stack.account, 'AccountId')}-${shown(stack.region, 'Region')}/*`,
        `Resource::<${bucketId}.Arn>/*`,
      ].map((finding) => ({
        id: `AwsSolutions-IAM5[${finding}]`,
        reason:
          'The function reads what the deployment uploaded, and writes the one bucket of the files.',
      })),
    );
  }
}

/** The part of an ARN as cdk-nag writes it: a stack may be for one account or region, or for any. */
const shown = (part: string, name: string): string =>
  Token.isUnresolved(part) ? `<AWS::${name}>` : part;

/** CloudFront refuses these as custom headers, because it has settings for them. */
const WITH_SETTINGS = [
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'X-Frame-Options',
  'Referrer-Policy',
];

/** The headers of every file of the web console. */
export const consoleHeaders = (
  scope: Construct,
  id: string,
  addresses: Parameters<typeof contentSecurityPolicy>[0],
): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, id, {
    // All regions of an account share the names.
    responseHeadersPolicyName: `${Stack.of(scope).stackName}-${Aws.REGION}`,
    securityHeadersBehavior: {
      contentSecurityPolicy: {
        contentSecurityPolicy: contentSecurityPolicy(addresses),
        override: true,
      },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.days(365),
        includeSubdomains: true,
        override: true,
      },
      contentTypeOptions: { override: true },
      ...(addresses.embedIn.length === 0 && {
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      }),
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(SECURITY_HEADERS)
        .filter(([header]) => !WITH_SETTINGS.includes(header))
        .map(([header, value]) => ({ header, value, override: true })),
    },
  });
