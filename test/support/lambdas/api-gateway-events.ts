import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

export interface ApiEventWishes {
  readonly method?: string;
  readonly path?: string;
  /** The stage's or the domain's path, before `path`. */
  readonly basePath?: string;
  readonly resource?: string;
  readonly pathParameters?: Record<string, string>;
  /** As it follows the `?`. */
  readonly query?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  /** What the authorizer put into the context. */
  readonly authorizer?: Record<string, unknown> | null;
  /** Of the session of IAM that signed the request, the platform's by default. */
  readonly userArn?: string | undefined;
}

/** A session of the platform's role. */
const PLATFORM_SESSION = 'arn:aws:sts::444455556666:assumed-role/platform/backend';

const ADMIN = { principalId: 'usr_1', user: 'usr_1', account: 'acme', role: 'admin' };

/** A request as API Gateway's proxy integration passes it, of an admin of `acme` by default. */
export const anApiEvent = (overrides: ApiEventWishes = {}): APIGatewayProxyEvent => {
  const { path = '/', basePath = '', headers = {}, body = null, authorizer = ADMIN } = overrides;
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat()]),
  );
  return {
    resource: overrides.resource ?? path,
    path,
    httpMethod: overrides.method ?? 'GET',
    headers: Object.fromEntries(
      Object.entries(multiValueHeaders).map(([name, values]) => [name, values.at(-1)]),
    ),
    multiValueHeaders,
    queryStringParameters: null,
    multiValueQueryStringParameters: parametersOf(overrides.query),
    pathParameters: overrides.pathParameters ?? null,
    stageVariables: null,
    body,
    isBase64Encoded: overrides.isBase64Encoded ?? false,
    requestContext: {
      requestId: '7a1d3a1e-5f0e-4f7b-9c55-111111111111',
      path: `${basePath}${path}`,
      stage: 'dev',
      identity: { userArn: overrides.userArn ?? PLATFORM_SESSION },
      ...(authorizer !== null && { authorizer }),
    } as unknown as APIGatewayProxyEvent['requestContext'],
  };
};

const parametersOf = (query: string | undefined): Record<string, string[]> | null => {
  if (query === undefined) return null;
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
};

/** Calls an API function as Lambda does. */
export const call = async (
  handler: (event: APIGatewayProxyEvent, context: Context) => unknown,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> =>
  (await handler(event, {
    getRemainingTimeInMillis: () => 28_000,
  } as Context)) as APIGatewayProxyResult;

export const documentOf = (result: APIGatewayProxyResult): Record<string, unknown> =>
  JSON.parse(result.body);
