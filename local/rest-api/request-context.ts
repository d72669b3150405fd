import { randomUUID } from 'node:crypto';
import { ACCOUNT_ID } from '../arn.ts';
import type { HttpRequest } from '../http-server.ts';
import type { ApiDefinition } from './api-definition.ts';

/** What a proxy event says about a request, and what `$context.…` stands for in templates. */
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
    path: inJson(request.path),
    protocol: 'HTTP/1.1',
    requestId,
    requestTime: now.toUTCString(),
    requestTimeEpoch: now.getTime(),
    resourcePath: '',
    stage: api.stage,
  };
};

/** Templates put the path into JSON as it is; a client may send what would break that. */
const inJson = (path: string): string =>
  path.replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, (character) => encodeURIComponent(character));

/**
 * Replaces `$context.name` in a template, all that gateway responses know of VTL. What is not
 * known becomes nothing.
 */
export const substituteContext = (
  template: string,
  context: RequestContext & { error?: Record<string, string> },
): string =>
  template.replace(/\$context((?:\.[A-Za-z_]\w*)+)/g, (_match, path: string) => {
    let value: unknown = context;
    for (const name of path.slice(1).split('.')) {
      const owner: Record<string, unknown> = typeof value === 'object' && value ? { ...value } : {};
      value = Object.hasOwn(owner, name) ? owner[name] : undefined;
    }
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
