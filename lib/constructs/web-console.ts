import { Aws, CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CfnManagedLoginBranding, OAuthScope, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { ConsoleConfig } from '../../packages/console/serving/console-config.ts';
import type { OwnDomain } from '../deployment-options.ts';
import type { SignIn, StageSettings } from '../stage-settings.ts';
import { ConsoleFiles, consoleHeaders } from './console-files.ts';
import type { ConsoleUsers } from './console-users.ts';

interface WebConsoleProps {
  readonly settings: StageSettings;
  /** Without users nobody signs in: the console is opened by links of the platform. */
  readonly users?: ConsoleUsers | undefined;
  /** Of the API, which may be made after the console. */
  readonly apiOrigin: string;
  /** Without a domain the console has CloudFront's name and certificate. */
  readonly domain?: OwnDomain | undefined;
  /** Origins whose pages may show the console in a frame. */
  readonly embedIn: readonly string[];
}

/**
 * The web console: its files behind CloudFront, and the client by which its pages sign users in, if the
 * stage has users. The pages call the API at the API's own origin.
 */
export class WebConsole extends Construct {
  readonly origin: string;
  readonly signIn?: SignIn;
  readonly #files: ConsoleFiles;
  readonly #platformUrl: string | undefined;
  readonly #signInOfPages?: ConsoleConfig['signIn'];

  constructor(
    scope: Construct,
    id: string,
    { settings, users, apiOrigin, domain, embedIn }: WebConsoleProps,
  ) {
    super(scope, id);
    this.#files = new ConsoleFiles(this, 'Files', { settings });
    this.#platformUrl = settings.platformUrl;
    const headers = consoleHeaders(this, 'Headers', {
      api: apiOrigin,
      signIn: users ? [`${users.issuer}/`, users.loginOrigin] : [],
      embedIn,
    });
    const { distributionDomainName } = this.#createDistribution(headers, domain);
    this.origin = `https://${domain?.name ?? distributionDomainName}`;
    if (users) {
      const { issuer, loginOrigin } = users;
      const clientId = this.#createClient(users).userPoolClientId;
      this.signIn = { issuer, clientId, jwksUri: `${issuer}/.well-known/jwks.json` };
      this.#signInOfPages = { issuer, clientId, logoutUrl: `${loginOrigin}/logout` };
    }
    const outputs = {
      ConsoleUrl: this.origin,
      // Where the record of a domain in DNS leads.
      ConsoleDistributionName: distributionDomainName,
      ...(this.signIn && { ConsoleClientId: this.signIn.clientId }),
    };
    for (const [key, value] of Object.entries(outputs)) new CfnOutput(scope, key, { value });
  }

  /** Publishes the built files of a directory with the addresses of the API and the sign-in. */
  publish(directory: string, apiUrl: string): void {
    const signIn = this.#signInOfPages;
    const platformUrl = this.#platformUrl;
    this.#files.publish(directory, {
      api: apiUrl,
      ...(signIn && { signIn }),
      ...(platformUrl !== undefined && { platformUrl }),
    });
  }

  #createDistribution(headers: ResponseHeadersPolicy, domain: OwnDomain | undefined): Distribution {
    const originAccessControl = new S3OriginAccessControl(this, 'Access', {
      // All regions of an account share the names.
      originAccessControlName: `${Stack.of(this).stackName}-${Aws.REGION}`,
    });
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Web console of ${Stack.of(this).stackName}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      // The default cache policy: the files say how long they are kept, and are compressed.
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.#files.bucket, { originAccessControl }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        responseHeadersPolicy: headers,
        functionAssociations: [
          {
            eventType: FunctionEventType.VIEWER_REQUEST,
            function: new EdgeFunction(this, 'PageOfRoute', {
              runtime: FunctionRuntime.JS_2_0,
              code: FunctionCode.fromInline(PAGE_OF_ROUTE),
            }),
          },
        ],
      },
    });
    acknowledgeFindings(distribution, domain);
    return distribution;
  }

  #createClient({ pool }: ConsoleUsers): UserPoolClient {
    const client = new UserPoolClient(this, 'Client', {
      userPool: pool,
      generateSecret: false,
      oAuth: {
        flows: { authorizationCodeGrant: true, implicitCodeGrant: false },
        scopes: [OAuthScope.OPENID],
        callbackUrls: [`${this.origin}/signed-in`],
        logoutUrls: [`${this.origin}/signed-out`],
      },
      authFlows: { userSrp: true },
      accessTokenValidity: Duration.minutes(30),
      idTokenValidity: Duration.minutes(30),
      // A working day without a second sign-in.
      refreshTokenValidity: Duration.hours(12),
      // A refresh token works once, and once more for this long if its answer was lost.
      refreshTokenRotationGracePeriod: Duration.seconds(30),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
    });
    // Without a style Cognito has no page to show for the client.
    new CfnManagedLoginBranding(this, 'LoginStyle', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    return client;
  }
}

/**
 * All paths without a dot are routes of the page; the others are files. CloudFront's engine lacks
 * newer parts of JavaScript.
 */
const PAGE_OF_ROUTE = `function handler(event) {
  const request = event.request;
  const name = request.uri.split('/').pop();
  if (!name.includes('.')) request.uri = '/index.html';
  return request;
}`;

const acknowledgeFindings = (distribution: Distribution, domain: OwnDomain | undefined): void => {
  Validations.of(distribution).acknowledge(
    {
      id: 'AwsSolutions-CFR1',
      reason: 'Users sign in from wherever they are, and the files are no secret.',
    },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'There are only files; the web ACL is at the API, and Cognito throttles sign-ins.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'Everybody gets the same files. What users do is in the access log of the API.',
    },
  );
  if (domain) return;
  Validations.of(distribution).acknowledge({
    id: 'AwsSolutions-CFR4',
    reason: "CloudFront's own certificate lets nobody refuse old TLS; browsers agree on new TLS.",
  });
};
