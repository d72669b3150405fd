import type { HttpRequest } from '../http-server.ts';
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
