import { ACCOUNT_ID } from '../arn.ts';
import type { HttpRequest } from '../http-server.ts';
import type { ApiDefinition } from './api-definition.ts';

export interface RequestContextOptions {
  requestId: string;
  api: Pick<ApiDefinition, 'id' | 'stage'>;
  resourcePath: string;
  /** What the route's authorizer said of the caller; undefined for a public route. */
  authorizer: Record<string, string> | undefined;
}

/** The `requestContext` of a proxy event. */
export const requestContext = (
  { headers, method, path, sourceIp }: HttpRequest,
  { api, ...rest }: RequestContextOptions,
) => {
  const now = new Date();
  return {
    ...rest,
    accountId: ACCOUNT_ID,
    apiId: api.id,
    domainName: headers.host ?? 'localhost',
    extendedRequestId: rest.requestId,
    httpMethod: method,
    identity: {
      sourceIp,
      userAgent: headers['user-agent'] ?? null,
      accessKey: null,
      accountId: null,
      caller: null,
      user: null,
      userArn: null,
    },
    // In AWS the path begins with the stage.
    path,
    protocol: 'HTTP/1.1',
    requestTime: now.toUTCString(),
    requestTimeEpoch: now.getTime(),
    stage: api.stage,
  };
};
