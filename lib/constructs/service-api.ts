import { Duration, RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Route } from '../../lambdas/_runtime/route.ts';
import { contract, type StageSettings } from '../config.ts';
import { CallerThrottle } from './caller-throttle.ts';
import { addGatewayProblems } from './gateway-problems.ts';

/** Where the gateway sends what comes for a route. */
export interface ServiceRoute extends Pick<Route, 'method' | 'path' | 'access' | 'isCostly'> {
  readonly handler: IFunction;
}

interface ServiceApiProps {
  readonly settings: StageSettings;
  readonly authorizer: IFunction;
  readonly routes: readonly ServiceRoute[];
}

/** The REST API: every route but the public ones behind the authorizer, every error a problem document. */
export class ServiceApi extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    const api = this.#createApi(props);
    // RestApi adds an output of its own; the stack has one with a name that stays.
    api.node.tryRemoveChild('Endpoint');
    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: props.authorizer,
      resultsCacheTtl: Duration.seconds(contract.authorizerCacheSeconds),
    });
    for (const route of props.routes) addRoute(api, route, authorizer);
    addGatewayProblems(api, props.settings.corsOrigin);
    new CallerThrottle(this, 'CallerThrottle', { api, throttling: props.settings.throttling });
    // Without the slash that `api.url` ends with: paths are written with the one they begin with.
    this.url = api.url.replace(/\/$/, '');
  }

  #createApi({ settings, routes }: ServiceApiProps): RestApi {
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: settings.removalPolicy,
    });
    const api = new RestApi(this, 'Api', {
      restApiName: `integrations-${settings.stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // The page that shows the API's description, and the description, are worth it.
      minCompressionSize: Size.kibibytes(16),
      // Without it a stage with logs cannot be created. The setting is one for the whole account and
      // region, so it stays when this stack goes: other APIs may have come to rely on it.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      // A page of another site gets no answer from a browser unless a stage names its origin.
      ...(settings.corsOrigin && {
        defaultCorsPreflightOptions: preflightOptions(settings.corsOrigin),
      }),
      deployOptions: {
        stageName: settings.stage,
        throttlingRateLimit: settings.throttling.requestsPerSecond,
        throttlingBurstLimit: settings.throttling.burst,
        methodOptions: methodThrottles(routes, settings),
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    this.#addExecutionLog(api, settings);
    acknowledgeFindings(api);
    return api;
  }

  /** API Gateway would make this group itself, under this name, and keep it for ever. */
  #addExecutionLog(api: RestApi, settings: StageSettings): void {
    const log = new LogGroup(this, 'ExecutionLog', {
      logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${settings.stage}`,
      retention: settings.logRetentionDays,
      removalPolicy: settings.removalPolicy,
    });
    api.deploymentStage.node.addDependency(log);
  }
}

/** Tighter throttles for the routes that need them. */
const methodThrottles = (routes: readonly ServiceRoute[], { throttling }: StageSettings) =>
  Object.fromEntries(
    routes
      .filter(({ isCostly }) => isCostly)
      .map(({ method, path }) => [
        `${path}/${method}`,
        {
          throttlingRateLimit: throttling.costlyPerSecond,
          throttlingBurstLimit: 2 * throttling.costlyPerSecond,
        },
      ]),
  );

const addRoute = (
  api: RestApi,
  { method, path, access, handler }: ServiceRoute,
  authorizer: TokenAuthorizer,
): void => {
  const added = api.root
    .resourceForPath(path)
    .addMethod(
      method,
      new LambdaIntegration(handler, { allowTestInvoke: false }),
      access === 'public' ? { authorizationType: AuthorizationType.NONE } : { authorizer },
    );
  Validations.of(added).acknowledge(
    ...(access === 'public'
      ? [
          {
            id: 'AwsSolutions-APIG4',
            reason: 'The documents that tell how to use the API are public, and the same for all.',
          },
        ]
      : []),
    {
      id: 'AwsSolutions-COG4',
      reason:
        'Access tokens are our own, looked up by hash in a Lambda authorizer; there are no Cognito users.',
    },
  );
};

/** What a page of the one origin that may call the API from a browser may send. */
const preflightOptions = (origin: string) => ({
  allowOrigins: [origin],
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Accept',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
  ],
  maxAge: Duration.hours(1),
});

// No headers and no query: neither a token nor anything else a caller may have put there.
const accessLogFields = {
  requestId: '$context.requestId',
  requestedAt: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  path: '$context.path',
  status: '$context.status',
  gatewayError: '$context.error.responseType',
  account: '$context.authorizer.account',
  latencyMs: '$context.responseLatency',
  responseBytes: '$context.responseLength',
};

const acknowledgeFindings = (api: RestApi): void => {
  Validations.of(api.node.findChild('Resource')).acknowledge({
    id: 'AwsSolutions-APIG2',
    reason:
      'The functions validate, and answer with a JSON pointer for each fault, which the gateway cannot.',
  });
  Validations.of(api.node.findChild('CloudWatchRole')).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason:
      'API Gateway checks its account role for the rights of exactly this policy, made by AWS for it.',
  });
};
