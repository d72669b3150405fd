import { ACCOUNT_ID } from '../arn.ts';
import type { HttpRequest } from '../http-server.ts';
import type { ApiDefinition } from './api-definition.ts';

export interface RequestContextOptions {
  requestId: string;
  api: Pick<ApiDefinition, 'id' | 'stage'>;
  resourcePath: string;
  /** What the authorizer of the route said of the caller, if the route has one. */
  authorizer: Record<string, string> | undefined;
}

/** What a proxy event says about a request. */
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
    // Deployed, the stage is in front of the path.
    path,
    protocol: 'HTTP/1.1',
    requestTime: now.toUTCString(),
    requestTimeEpoch: now.getTime(),
    stage: api.stage,
  };
};
