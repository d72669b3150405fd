import { randomUUID } from 'node:crypto';
import { ACCOUNT_ID } from '../arn.ts';
import type { HttpRequest } from '../http-server.ts';
import type { ApiDefinition } from './api-definition.ts';

/** What a proxy event says about a request. */
export interface RequestContext {
  accountId: string;
  apiId: string;
  domainName: string;
  extendedRequestId: string;
  httpMethod: string;
  identity: Record<string, string | null>;
  path: string;
  protocol: string;
  requestId: string;
  requestTime: string;
  requestTimeEpoch: number;
  resourcePath: string;
  stage: string;
  authorizer?: Record<string, string>;
}

export const createRequestContext = (
  request: HttpRequest,
  api: Pick<ApiDefinition, 'id' | 'stage'>,
): RequestContext => {
  const requestId = randomUUID();
  const now = new Date();
  return {
    accountId: ACCOUNT_ID,
    apiId: api.id,
    domainName: request.headers.host ?? 'localhost',
    extendedRequestId: requestId,
    httpMethod: request.method,
    identity: {
      sourceIp: request.sourceIp,
      userAgent: request.headers['user-agent'] ?? null,
      accessKey: null,
      accountId: null,
      caller: null,
      user: null,
      userArn: null,
    },
    // In AWS with the stage in front; here the API is served at the root.
    path: request.path,
    protocol: 'HTTP/1.1',
    requestId,
    requestTime: now.toUTCString(),
    requestTimeEpoch: now.getTime(),
    resourcePath: '',
    stage: api.stage,
  };
};
