import { z } from 'zod';
import type { Resource } from '../template/stacks.ts';

export interface ApiDefinition {
  id: string;
  stage: string;
  stageVariables: Record<string, string> | null;
  routes: Route[];
  gatewayResponses: ReadonlyMap<string, GatewayResponse>;
}

export interface Route {
  /** `ANY` for all. */
  method: string;
  /** With `{parameters}`, as in the template. */
  path: string;
  authorizer: Authorizer | undefined;
  integration: Integration;
}

export interface Authorizer {
  id: string;
  functionArn: string;
  /** Lower case. */
  identityHeader: string;
  identityPattern: RegExp | undefined;
  cacheSeconds: number;
}

export type Integration =
  | { kind: 'lambda'; functionArn: string; timeoutMs: number }
  | { kind: 'mock'; requestTemplate: string; responses: MockResponse[] };

interface MockResponse {
  status: string;
  headers: Record<string, string>;
  templates: Record<string, string>;
}

interface GatewayResponse {
  status: number | undefined;
  parameters: Record<string, string>;
  templates: Record<string, string>;
}

const ofApi = { RestApiId: z.string() };
const strings = z.record(z.string(), z.string()).default({});

const ResourceProperties = z.object({ ...ofApi, ParentId: z.string(), PathPart: z.string() });
const StageProperties = z.object({
  ...ofApi,
  StageName: z.string(),
  Variables: z.record(z.string(), z.string()).optional(),
});
const MethodProperties = z.object({
  ...ofApi,
  HttpMethod: z.string(),
  ResourceId: z.string(),
  AuthorizationType: z.enum(['NONE', 'CUSTOM'], { error: 'is not emulated' }).default('NONE'),
  AuthorizerId: z.string().optional(),
  Integration: z.object({
    Type: z.enum(['AWS_PROXY', 'MOCK'], { error: 'is not emulated' }),
    Uri: z.string().optional(),
    TimeoutInMillis: z.coerce.number().default(29_000),
    RequestTemplates: strings,
    IntegrationResponses: z
      .array(
        z.object({
          StatusCode: z.coerce.string(),
          ResponseParameters: strings,
          ResponseTemplates: strings,
        }),
      )
      .default([]),
  }),
});
const AuthorizerProperties = z.object({
  ...ofApi,
  Type: z.literal('TOKEN', { error: 'other than TOKEN is not emulated' }),
  AuthorizerUri: z.string(),
  IdentitySource: z.string(),
  IdentityValidationExpression: z.string().optional(),
  AuthorizerResultTtlInSeconds: z.coerce.number().default(300),
});
const GatewayResponseProperties = z.object({
  ...ofApi,
  ResponseType: z.string(),
  StatusCode: z.coerce.number().optional(),
  ResponseParameters: strings,
  ResponseTemplates: strings,
});

/** Reads the REST API of a stack out of its resources; undefined when it has none. */
export const readApiDefinition = (resources: readonly Resource[]): ApiDefinition | undefined => {
  const api = resources.find(({ type }) => type === 'AWS::ApiGateway::RestApi');
  if (!api) return undefined;
  const parts = <Properties extends { RestApiId: string }>(
    type: string,
    schema: z.ZodType<Properties>,
  ) =>
    resources
      .filter((resource) => resource.type === `AWS::ApiGateway::${type}`)
      .map(({ name, properties }) => ({ name, ...parse(schema, properties, name) }))
      .filter(({ RestApiId }) => RestApiId === api.reference);

  const paths = resourcePaths(`${api.name}-root`, parts('Resource', ResourceProperties));
  const authorizers = new Map(
    parts('Authorizer', AuthorizerProperties).map((found) => [found.name, toAuthorizer(found)]),
  );
  const [stage] = parts('Stage', StageProperties);
  return {
    id: api.name,
    stage: stage?.StageName ?? 'prod',
    stageVariables: stage?.Variables ?? null,
    routes: parts('Method', MethodProperties).map((method) => ({
      method: method.HttpMethod,
      path: paths.get(method.ResourceId) ?? '/',
      authorizer: method.AuthorizerId ? authorizers.get(method.AuthorizerId) : undefined,
      integration: toIntegration(method.Integration),
    })),
    gatewayResponses: new Map(
      parts('GatewayResponse', GatewayResponseProperties).map((found) => [
        found.ResponseType,
        {
          status: found.StatusCode,
          parameters: found.ResponseParameters,
          templates: found.ResponseTemplates,
        },
      ]),
    ),
  };
};

const parse = <Properties>(
  schema: z.ZodType<Properties>,
  properties: unknown,
  where: string,
): Properties => {
  const parsed = schema.safeParse(properties);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`${where}: ${faults.join('; ')}`);
};

const resourcePaths = (
  rootId: string,
  resources: readonly { name: string; ParentId: string; PathPart: string }[],
): ReadonlyMap<string, string> => {
  const byId = new Map(resources.map((resource) => [resource.name, resource]));
  const pathOf = (id: string): string => {
    const resource = byId.get(id);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  return new Map([[rootId, '/'], ...resources.map(({ name }) => [name, pathOf(name)] as const)]);
};

const toAuthorizer = (
  properties: z.infer<typeof AuthorizerProperties> & { name: string },
): Authorizer => ({
  id: properties.name,
  functionArn: functionArnIn(properties.AuthorizerUri),
  identityHeader: properties.IdentitySource.replace('method.request.header.', '').toLowerCase(),
  identityPattern: properties.IdentityValidationExpression
    ? new RegExp(`^(?:${properties.IdentityValidationExpression})$`)
    : undefined,
  cacheSeconds: properties.AuthorizerResultTtlInSeconds,
});

const toIntegration = (
  integration: z.infer<typeof MethodProperties>['Integration'],
): Integration =>
  integration.Type === 'AWS_PROXY'
    ? {
        kind: 'lambda',
        functionArn: functionArnIn(integration.Uri ?? ''),
        timeoutMs: integration.TimeoutInMillis,
      }
    : {
        kind: 'mock',
        requestTemplate: Object.values(integration.RequestTemplates)[0] ?? '',
        responses: integration.IntegrationResponses.map((response) => ({
          status: response.StatusCode,
          headers: response.ResponseParameters,
          templates: response.ResponseTemplates,
        })),
      };

const functionArnIn = (uri: string): string => {
  const [, functionArn] = /\/functions\/(arn:[^/]+)\/invocations$/.exec(uri) ?? [];
  if (!functionArn) throw new Error(`${uri || 'An integration without Uri'} is no Lambda function`);
  return functionArn;
};
