import { Aws, Duration, RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  AuthorizationType,
  AwsIntegration,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { needsToken } from '../../lambdas/api/runtime/route.ts';
import type { OwnDomain } from '../deployment-options.ts';
import { limits } from '../limits.ts';
import type { Line } from '../monitoring/line.ts';
import type { StageSettings, Throttling } from '../stage-settings.ts';
import { ApiDomain } from './api-domain.ts';
import { invocationPolicy, methodsOf, type ServiceRoute } from './api-policy.ts';
import { CallerThrottle } from './caller-throttle.ts';
import { addGatewayProblems } from './gateway-problems.ts';

interface ServiceApiProps {
  readonly settings: StageSettings;
  readonly authorizer: IFunction;
  readonly routes: readonly ServiceRoute[];
  /** The one origin whose pages may call the API from a browser; without an origin no page may. */
  readonly corsOrigin?: string;
  /** Without a domain the API has API Gateway's name, and the stage's name in its path. */
  readonly domain?: OwnDomain | undefined;
}

/**
 * The REST API. The authorizer guards every route that is not public, and every error is a problem
 * document.
 */
export class ServiceApi extends Construct {
  readonly url: string;
  /** Of `url`. Users of the origin do not depend on the routes of the API. */
  readonly origin: string;
  /** Of the API by each of its names: API Gateway's leads to it beside its own domain, too. */
  readonly origins: readonly string[];
  readonly accessLog: ILogGroup;
  /** What the gateway calls. */
  readonly functions: readonly IFunction[];
  /** Requests over a limit of their caller. */
  readonly blocked: readonly Line[];

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    this.accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.settings.logRetentionDays,
      removalPolicy: props.settings.removalPolicy,
    });
    const api = this.#createApi(props);
    // RestApi adds an output with a generated name; the stack has the output `ApiUrl` instead.
    api.node.tryRemoveChild('Endpoint');
    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: props.authorizer,
      resultsCacheTtl: Duration.seconds(limits.authorizerCacheSeconds),
    });
    for (const route of props.routes) addRoute(api, route, authorizer);
    const handlers = [...new Set(props.routes.map(({ handler }) => handler))];
    this.functions = [...handlers, props.authorizer];
    this.#allowInvocations(api, handlers, props.settings);
    const { domain } = props;
    addGatewayProblems(api, {
      corsOrigin: props.corsOrigin,
      basePath: domain ? '' : `/${props.settings.stage}`,
    });
    this.blocked = this.#limitCallers(api, props);
    if (domain) new ApiDomain(this, 'Domain', { api, ...domain });
    const name = `${api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
    this.origin = `https://${domain?.name ?? name}`;
    this.origins = [...new Set([this.origin, `https://${name}`])];
    // `api.url` ends with a slash, and paths begin with a slash.
    this.url = domain ? this.origin : api.url.replace(/\/$/, '');
  }

  /**
   * One permission for each function. `LambdaIntegration` adds one for each route, or one that
   * includes test invocations, which no authorizer guards.
   */
  #allowInvocations(api: RestApi, handlers: readonly IFunction[], { stage }: StageSettings): void {
    for (const handler of handlers) {
      handler.addPermission('ApiInvocation', {
        principal: new ServicePrincipal('apigateway.amazonaws.com'),
        sourceArn: api.arnForExecuteApi('*', '/*', stage),
      });
    }
  }

  #limitCallers(api: RestApi, { settings, routes }: ServiceApiProps): readonly Line[] {
    if (settings.webAcl) {
      return new CallerThrottle(this, 'CallerThrottle', {
        api,
        settings,
        routes,
      }).lines;
    }
    Validations.of(api.deploymentStage).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason: 'Who deploys a stage to try it may do without; prod may not.',
    });
    return [];
  }

  #createApi({ settings, routes, corsOrigin }: ServiceApiProps): RestApi {
    const api = new RestApi(this, 'Api', {
      restApiName: `integrations-${settings.stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // API Gateway compresses the OpenAPI document and the page that shows it, and little else.
      minCompressionSize: Size.kibibytes(16),
      policy: invocationPolicy(routes, settings.consoleLinkRoles?.split(/,\s*/) ?? []),
      // API Gateway needs this role to create a stage with logs. Other APIs of the account and region
      // may use the role after this stack is deleted.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      ...(corsOrigin !== undefined && {
        defaultCorsPreflightOptions: preflightOptions(corsOrigin),
      }),
      deployOptions: {
        stageName: settings.stage,
        throttlingRateLimit: settings.throttling.requestsPerSecond,
        throttlingBurstLimit: settings.throttling.burst,
        methodOptions: methodThrottles(routes, settings),
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        ...(settings.tracing && { tracingEnabled: true }),
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    this.#addExecutionLog(api, settings);
    acknowledgeFindings(api);
    return api;
  }

  /** Without this log group, API Gateway creates a group of the same name and keeps it for ever. */
  #addExecutionLog(api: RestApi, settings: StageSettings): void {
    const log = new LogGroup(this, 'ExecutionLog', {
      logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${settings.stage}`,
      retention: settings.logRetentionDays,
      removalPolicy: settings.removalPolicy,
    });
    api.deploymentStage.node.addDependency(log);
  }
}

/** The preflights of browsers, which cause no invocation, have those of the stage. */
const methodThrottles = (routes: readonly ServiceRoute[], { throttling }: StageSettings) =>
  Object.fromEntries(
    routes.flatMap((route) => {
      const options = {
        ...throttleOf(route, throttling),
        // The settings of a method replace those of the stage, these two included.
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
      };
      return methodsOf(route).map((method) => [`${route.path}/${method}`, options]);
    }),
  );

const throttleOf = ({ access, isCostly, method }: ServiceRoute, of: Throttling) => {
  const [throttlingRateLimit, throttlingBurstLimit] =
    access === 'public'
      ? [of.publicPerSecond, of.publicBurst]
      : access === 'platform' || access === 'code'
        ? [of.platformPerSecond, of.changesBurst]
        : isCostly
          ? [of.costlyPerSecond, of.costlyBurst]
          : method === 'GET'
            ? [of.requestsPerSecond, of.burst]
            : [of.changesPerSecond, of.changesBurst];
  return { throttlingRateLimit, throttlingBurstLimit };
};

const addRoute = (api: RestApi, route: ServiceRoute, authorizer: TokenAuthorizer): void => {
  for (const method of methodsOf(route)) addMethod(api, { ...route, method }, authorizer);
};

const addMethod = (
  api: RestApi,
  { method, path, access, handler }: Omit<ServiceRoute, 'method'> & { readonly method: string },
  authorizer: TokenAuthorizer,
): void => {
  const isOpen = access === 'public' || access === 'code';
  const added = api.root
    .resourceForPath(path)
    .addMethod(
      method,
      invocationOf(handler),
      needsToken({ access })
        ? { authorizer }
        : { authorizationType: isOpen ? AuthorizationType.NONE : AuthorizationType.IAM },
    );
  Validations.of(added).acknowledge(
    ...(isOpen
      ? [
          {
            id: 'AwsSolutions-APIG4',
            reason:
              'Public documents are the same for all, the webhook of the canary has a signature, and a link of the console has a code.',
          },
        ]
      : []),
    {
      id: 'AwsSolutions-COG4',
      reason:
        'A Lambda authorizer looks up access tokens of our own by hash, and verifies those of the user pool.',
    },
  );
};

const invocationOf = ({ functionArn }: IFunction): AwsIntegration =>
  new AwsIntegration({
    proxy: true,
    service: 'lambda',
    path: `2015-03-31/functions/${functionArn}/invocations`,
  });

/** The requests that pages of the one allowed origin may send. */
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
  // A browser sends one preflight an hour for each address; some browsers allow at most two hours.
  maxAge: Duration.hours(1),
});

// Neither headers nor query: callers put tokens and other secrets there.
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
