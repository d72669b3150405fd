import { z } from 'zod';
import { notEmulated } from '../template/emulated.ts';
import { parseProperties, type Resource } from '../template/stacks.ts';

export interface ApiDefinition {
  id: string;
  stage: string;
  routes: Route[];
  authorizers: ReadonlyMap<string, Authorizer>;
  /** The answers that API Gateway gives without a function. */
  gatewayResponses: readonly z.output<typeof GatewayResponse>[];
}

export interface Route {
  method: string;
  /** Path with `{parameters}`, as in the template. */
  path: string;
  /** Key in `authorizers` of the API; undefined for a public route. */
  authorizer: string | undefined;
  functionArn: string;
  timeoutMs: number;
}

const RestApiId = z.string();

/** The URI by which API Gateway invokes a Lambda function; gives the function's ARN. */
const functionUri = z
  .string()
  .regex(/\/functions\/arn:[^/]+\/invocations$/, 'what is no Lambda function')
  .transform((uri) => uri.split('/').at(-2) ?? '');

const ResourceProperties = z.strictObject({
  RestApiId,
  ParentId: z.string(),
  PathPart: z.string().regex(/^(\{\w+\}|[^{}]+)$/, 'a path part that takes several'),
});

const StageProperties = z.strictObject({ RestApiId, StageName: z.string() });

const MethodProperties = z.strictObject({
  RestApiId,
  AuthorizationType: z.enum(['NONE', 'CUSTOM']),
  AuthorizerId: z.string().optional(),
  HttpMethod: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  Integration: z.strictObject({
    IntegrationHttpMethod: z.literal('POST'),
    // Only a test's template sets a timeout. The default is API Gateway's.
    TimeoutInMillis: z.number().default(29_000),
    Type: z.literal('AWS_PROXY'),
    Uri: functionUri,
  }),
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
      z.string().regex(/^'.*'$/, 'a header that is no literal'),
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
    headers: Object.entries(ResponseParameters).map(([name, quoted]): [string, string] => [
      name.replace('gatewayresponse.header.', '').toLowerCase(),
      quoted.slice(1, -1),
    ]),
    /** JSON with `$context.requestId` in place of the request's id. */
    template: ResponseTemplates['application/json'],
  }));

/**
 * Reads the REST API out of the resources of all stacks; undefined when there is none. Throws when
 * a property is not emulated.
 */
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
    routes: ofType('Method').map((resource) => {
      const method = parseProperties(resource, MethodProperties);
      if ((method.AuthorizationType === 'CUSTOM') !== authorizers.has(method.AuthorizerId ?? '')) {
        throw notEmulated(`${resource.path}.AuthorizerId`, 'an authorizer of another kind');
      }
      return {
        method: method.HttpMethod,
        path: paths.get(method.ResourceId) ?? '/',
        authorizer: method.AuthorizerId,
        functionArn: method.Integration.Uri,
        timeoutMs: method.Integration.TimeoutInMillis,
      };
    }),
    authorizers,
    gatewayResponses: ofType('GatewayResponse').map((resource) =>
      parseProperties(resource, GatewayResponse),
    ),
  };
};

/** Properties that clients do not notice, except by the size of an answer. */
const IGNORED_OF_API = ['EndpointConfiguration', 'MinimumCompressionSize', 'Name', 'Tags'];
const IGNORED_OF_STAGE = ['AccessLogSetting', 'DeploymentId', 'MethodSettings', 'Tags'];

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
