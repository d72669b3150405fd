import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import type { ApiDefinition } from './api-definition.ts';
import type { ApiCaller } from './request-signature.ts';
import type { RouteMatch } from './routing.ts';

/** The event of a Lambda proxy integration, version 1.0. */
export const proxyEvent = (
  request: HttpRequest,
  { route, pathParameters }: RouteMatch,
  requestContext: object,
): Record<string, unknown> => {
  const headers = headersOf(request);
  const query = groupByName([...request.query]);
  return {
    resource: route.path,
    path: request.path,
    httpMethod: request.method,
    headers: lastOfEach(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(lastOfEach(query)),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(pathParameters),
    stageVariables: null,
    requestContext,
    body: request.body.length > 0 ? request.body.toString() : null,
    isBase64Encoded: false,
  };
};

/** The headers, with names as the client wrote them, and the headers that API Gateway adds. */
const headersOf = ({ rawHeaders, sourceIp }: HttpRequest): Record<string, string[]> => {
  const pairs: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return groupByName([...pairs, ['X-Forwarded-For', sourceIp], ['X-Forwarded-Proto', 'http']]);
};

const groupByName = (pairs: readonly (readonly [string, string])[]): Record<string, string[]> =>
  Object.fromEntries(
    Map.groupBy(pairs, ([name]) => name)
      .entries()
      .map(([name, group]) => [name, group.map(([, value]) => value)]),
  );

const lastOfEach = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));

const orNull = <Values extends object>(values: Values): Values | null =>
  Object.keys(values).length > 0 ? values : null;

export interface RequestContextOptions {
  requestId: string;
  api: Pick<ApiDefinition, 'id' | 'stage'>;
  resourcePath: string;
  /** The result of the route's authorizer; undefined for a route without one. */
  authorizer: Record<string, string> | undefined;
  /** Of a route that needs a signature. */
  signer: ApiCaller | undefined;
}

/** The `requestContext` of a proxy event, as far as our functions may need it. */
export const requestContext = (
  { headers, method, path, sourceIp }: HttpRequest,
  { api, signer, ...rest }: RequestContextOptions,
) => {
  return {
    ...rest,
    apiId: api.id,
    httpMethod: method,
    identity: {
      sourceIp,
      userAgent: headers['user-agent'] ?? null,
      accessKey: signer?.accessKeyId ?? null,
      userArn: signer?.userArn ?? null,
    },
    // In AWS the path begins with the stage.
    path,
    stage: api.stage,
  };
};

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** A response as our functions give it: without multi-value headers and without base64. */
const ProxyResponse = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), scalar).default({}),
  body: z.string().nullish(),
});

/** undefined when API Gateway would log "Malformed Lambda proxy response". */
export const proxyAnswer = (response: unknown): HttpAnswer | undefined => {
  const parsed = ProxyResponse.safeParse(response);
  if (!parsed.success) return undefined;
  const { statusCode, body } = parsed.data;
  const headers = Object.entries(parsed.data.headers);
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) {
    headers.push(['content-type', 'application/json']);
  }
  if (!headers.every(isValidHeader)) return undefined;
  return {
    status: statusCode,
    // API Gateway measures the body itself.
    headers: headers.filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name)),
    body: body ?? '',
  };
};

const isValidHeader = ([name, value]: [string, string]): boolean => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};
