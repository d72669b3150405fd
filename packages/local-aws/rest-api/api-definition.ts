import { z } from 'zod';
import type { HttpAnswer } from '../http-server.ts';
import { notEmulated } from '../template/assembly.ts';
import { parseProperties, type Resource } from '../template/stacks.ts';
import type { MethodThrottle } from './throttles.ts';

export interface ApiDefinition {
  id: string;
  stage: string;
  throttles: readonly MethodThrottle[];
  routes: Route[];
  authorizers: ReadonlyMap<string, Authorizer>;
  gatewayResponses: readonly z.output<typeof GatewayResponse>[];
}

export interface Route {
  method: string;
  /** Path with `{parameters}`, as in the template. */
  path: string;
  /** Key in `authorizers` of the API; undefined for a route without one. */
  authorizer: string | undefined;
  /** Whether requests need a signature of IAM. */
  isSigned: boolean;
  backend: FunctionBackend | HttpAnswer;
}

export interface FunctionBackend {
  functionArn: string;
  timeoutMs: number;
}

const RestApiId = z.string();

/** The URI by which API Gateway invokes a Lambda function; gives the function's ARN. */
const functionUri = z
  .string()
  .regex(/\/functions\/arn:[^/]+\/invocations$/, 'what is no Lambda function')
  .transform((uri) => uri.split('/').at(-2) ?? '');

/** A header that API Gateway sets to a literal, which templates put in quotation marks. */
const literalHeader = z.string().regex(/^'.*'$/, 'a header that is no literal');

/** Names are the part behind the last dot. */
const headersOf = (parameters: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(parameters).map(([name, quoted]) => [
    (name.split('.').at(-1) ?? '').toLowerCase(),
    quoted.slice(1, -1),
  ]);

const ResourceProperties = z.strictObject({
  RestApiId,
  ParentId: z.string(),
  PathPart: z.string().regex(/^(\{\w+\}|[^{}]+)$/, 'a path part that takes several'),
});

const MethodSettings = z
  .object({
    HttpMethod: z.string(),
    ResourcePath: z.string(),
    ThrottlingBurstLimit: z.number(),
    ThrottlingRateLimit: z.number(),
  })
  .transform(
    ({ HttpMethod, ResourcePath, ThrottlingBurstLimit, ThrottlingRateLimit }): MethodThrottle => ({
      method: HttpMethod,
      path: pathIn(ResourcePath),
      rate: ThrottlingRateLimit,
      burst: ThrottlingBurstLimit,
    }),
  );

/** `/~1things~1{id}` is `/things/{id}`; `/*` is every path. */
const pathIn = (resourcePath: string): string =>
  resourcePath === '/' ? resourcePath : resourcePath.slice(1).replaceAll('~1', '/');

const StageProperties = z.strictObject({
  RestApiId,
  StageName: z.string(),
  MethodSettings: z.array(MethodSettings).default([]),
});

const FunctionIntegration = z
  .strictObject({
    IntegrationHttpMethod: z.literal('POST'),
    // Only a test's template sets a timeout. The default is API Gateway's.
    TimeoutInMillis: z.number().default(29_000),
    Type: z.literal('AWS_PROXY'),
    Uri: functionUri,
  })
  .transform(
    ({ TimeoutInMillis, Uri }): FunctionBackend => ({
      functionArn: Uri,
      timeoutMs: TimeoutInMillis,
    }),
  );

/** As the CDK answers the preflights of browsers: one answer, without a function. */
const PreflightIntegration = z
  .strictObject({
    IntegrationResponses: z.tuple([
      z.strictObject({
        ResponseParameters: z.record(
          z.templateLiteral(['method.response.header.', z.string()]),
          literalHeader,
        ),
        StatusCode: z.coerce.number(),
      }),
    ]),
    RequestTemplates: z.unknown(),
    Type: z.literal('MOCK'),
  })
  .transform(
    ({ IntegrationResponses: [{ ResponseParameters, StatusCode }] }): HttpAnswer => ({
      status: StatusCode,
      headers: headersOf(ResponseParameters),
      body: '',
    }),
  );

const MethodProperties = z.strictObject({
  RestApiId,
  AuthorizationType: z.enum(['NONE', 'CUSTOM', 'AWS_IAM']),
  AuthorizerId: z.string().optional(),
  HttpMethod: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  Integration: z.discriminatedUnion('Type', [FunctionIntegration, PreflightIntegration]),
  ResourceId: z.string(),
});

const Authorizer = z
  .strictObject({
    RestApiId,
    AuthorizerResultTtlInSeconds: z.number(),
    AuthorizerUri: functionUri,
    IdentitySource: z.literal('method.request.header.Authorization'),
    Type: z.literal('TOKEN'),
  })
  .transform(({ AuthorizerResultTtlInSeconds, AuthorizerUri }) => ({
    functionArn: AuthorizerUri,
    cacheSeconds: AuthorizerResultTtlInSeconds,
  }));

export type Authorizer = z.output<typeof Authorizer>;

const GatewayResponse = z
  .strictObject({
    RestApiId,
    ResponseParameters: z.record(
      z.templateLiteral(['gatewayresponse.header.', z.string()]),
      literalHeader,
    ),
    ResponseTemplates: z.strictObject({
      'application/json': z
        .string()
        .regex(/^([^$]|\$context\.requestId\b)*$/, 'a template with more than $context.requestId'),
    }),
    ResponseType: z.string(),
    StatusCode: z.coerce.number(),
  })
  .transform(({ ResponseParameters, ResponseTemplates, ResponseType, StatusCode }) => ({
    type: ResponseType,
    status: StatusCode,
    headers: headersOf(ResponseParameters),
    /** JSON with `$context.requestId` in place of the request's id. */
    template: ResponseTemplates['application/json'],
  }));

/** undefined when there is no REST API. Throws when a property is not emulated. */
export const readApiDefinition = (resources: readonly Resource[]): ApiDefinition | undefined => {
  const ofType = (type: string) =>
    resources.filter((resource) => resource.type === `AWS::ApiGateway::${type}`);
  const [api, another] = ofType('RestApi');
  if (!api) return undefined;
  if (another) throw notEmulated(another.path, 'a second REST API');
  parseProperties(api, z.strictObject({}), IGNORED_OF_API);
  const [stage] = ofType('Stage').map((resource) =>
    parseProperties(resource, StageProperties, IGNORED_OF_STAGE),
  );
  const authorizers = new Map(
    ofType('Authorizer').map((resource) => [
      resource.reference,
      parseProperties(resource, Authorizer, ['Name']),
    ]),
  );
  const paths = resourcePaths(`${api.name}-root`, ofType('Resource'));
  return {
    id: api.name,
    stage: stage?.StageName ?? 'prod',
    throttles: stage?.MethodSettings ?? [],
    routes: ofType('Method').map((resource) => {
      const method = parseProperties(resource, MethodProperties, IGNORED_OF_METHOD);
      if ((method.AuthorizationType === 'CUSTOM') !== authorizers.has(method.AuthorizerId ?? '')) {
        throw notEmulated(`${resource.path}.AuthorizerId`, 'an authorizer of another kind');
      }
      return {
        method: method.HttpMethod,
        path: paths.get(method.ResourceId) ?? '/',
        authorizer: method.AuthorizerId,
        isSigned: method.AuthorizationType === 'AWS_IAM',
        backend: method.Integration,
      };
    }),
    authorizers,
    gatewayResponses: ofType('GatewayResponse').map((resource) =>
      parseProperties(resource, GatewayResponse),
    ),
  };
};

/** Properties that clients do not notice, except by the size of an answer, and resource policies. */
const IGNORED_OF_API = [
  'EndpointConfiguration',
  'MinimumCompressionSize',
  'Name',
  'Policy',
  'Tags',
];
const IGNORED_OF_METHOD = ['ApiKeyRequired', 'MethodResponses'];
const IGNORED_OF_STAGE = ['AccessLogSetting', 'DeploymentId', 'Tags', 'TracingEnabled'];

const resourcePaths = (
  rootId: string,
  resources: readonly Resource[],
): ReadonlyMap<string, string> => {
  const byId = new Map(
    resources.map((resource) => [
      resource.reference,
      parseProperties(resource, ResourceProperties),
    ]),
  );
  const pathOf = (id: string): string => {
    const found = byId.get(id);
    return found ? `${pathOf(found.ParentId)}/${found.PathPart}` : '';
  };
  return new Map([[rootId, '/'], ...[...byId.keys()].map((id) => [id, pathOf(id)] as const)]);
};
