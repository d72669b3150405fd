import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
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
import { contract, type StageSettings } from '../config.ts';
import { addGatewayProblems } from './gateway-problems.ts';

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** One parameter name a level: API Gateway refuses `/users/{user}` beside `/users/{id}`. */
  readonly path: `/${string}`;
  readonly handler: IFunction;
}

interface ServiceApiProps {
  readonly settings: StageSettings;
  readonly authorizer: IFunction;
  readonly routes: readonly Route[];
}

/** The REST API: every route behind the authorizer, every error a problem document. */
export class ServiceApi extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, props: ServiceApiProps) {
    super(scope, id);
    const api = this.#createApi(props.settings);
    // RestApi adds an output of its own; the stack has one with a name that stays.
    api.node.tryRemoveChild('Endpoint');
    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: props.authorizer,
      resultsCacheTtl: Duration.seconds(contract.authorizerCacheSeconds),
    });
    for (const { method, path, handler } of props.routes) {
      const added = api.root
        .resourceForPath(path)
        .addMethod(method, new LambdaIntegration(handler, { allowTestInvoke: false }), {
          authorizer,
        });
      Validations.of(added).acknowledge({
        id: 'AwsSolutions-COG4',
        reason:
          'Access tokens are our own, looked up by hash in a Lambda authorizer; there are no Cognito users.',
      });
    }
    addGatewayProblems(api);
    this.url = api.url;
  }

  #createApi(settings: StageSettings): RestApi {
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: settings.removalPolicy,
    });
    const api = new RestApi(this, 'Api', {
      restApiName: `integrations-${settings.stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // Without it a stage with logs cannot be created. The setting is one for the whole account and
      // region, so it stays when this stack goes: other APIs may have come to rely on it.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: settings.stage,
        throttlingRateLimit: settings.throttling.requestsPerSecond,
        throttlingBurstLimit: settings.throttling.burst,
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
  Validations.of(api.deploymentStage).acknowledge({
    id: 'AwsSolutions-APIG3',
    reason:
      'Every route needs a 256-bit token and the stage is throttled; a web ACL is for the account to add.',
  });
  Validations.of(api.node.findChild('CloudWatchRole')).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason:
      'API Gateway checks its account role for the rights of exactly this policy, made by AWS for it.',
  });
};
