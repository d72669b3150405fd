import { randomUUID } from 'node:crypto';
import { arn } from '../arn.ts';
import type { Concurrency } from '../functions/concurrency.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import type { ApiDefinition, FunctionBackend } from './api-definition.ts';
import { proxyAnswer, proxyEvent, requestContext } from './proxy-integration.ts';
import { type ApiCaller, signerOf } from './request-signature.ts';
import { createRouter } from './routing.ts';
import { createThrottles } from './throttles.ts';
import { createTokenAuthorizer } from './token-authorizer.ts';

export interface RestApiOptions {
  poolOf: (functionArn: string) => FunctionPool;
  onMalformedResponse: (functionName: string, reason: string) => void;
  concurrency: Concurrency;
  /** Whose signatures are valid. */
  callers: readonly ApiCaller[];
}

export const MAXIMUM_PAYLOAD_BYTES = 10 * 1024 * 1024;

/** Answers requests to the template's REST API, without a web ACL. Paths have no stage. */
export const createRestApi = (api: ApiDefinition, options: RestApiOptions) => {
  const findRoute = createRouter(api.routes);
  const isWithinThrottle = createThrottles(api.throttles);
  const gatewayResponse = createGatewayResponses(api);
  const authorizers = new Map(
    [...api.authorizers].map(([id, authorizer]) => [
      id,
      createTokenAuthorizer(authorizer, (event) =>
        options.concurrency.request(options.poolOf(authorizer.functionArn), event),
      ),
    ]),
  );

  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const requestId = randomUUID();
    const answer = await answerOrFault(request, requestId);
    if (typeof answer === 'string') return gatewayResponse(answer, requestId);
    return { ...answer, headers: [...answer.headers, ['x-amzn-requestid', requestId]] };
  };

  async function answerOrFault(
    request: HttpRequest,
    requestId: string,
  ): Promise<HttpAnswer | GatewayResponseType> {
    const match = findRoute(request.method, request.path);
    if (!match) return 'MISSING_AUTHENTICATION_TOKEN';
    if (!isWithinThrottle(request.method, match.route.path)) return 'THROTTLED';
    if (request.tooLarge) return 'REQUEST_TOO_LARGE';
    const { authorizer: authorizerId = '', backend, isSigned, path: resourcePath } = match.route;
    if ('status' in backend) return backend;
    const signer = isSigned ? signerOf(request, options.callers) : undefined;
    if (isSigned && !signer) {
      return request.headers.authorization ? 'INVALID_SIGNATURE' : 'MISSING_AUTHENTICATION_TOKEN';
    }
    const methodArn = `${arn('execute-api', api.id)}/${api.stage}/${request.method}${request.path}`;
    const authorization = await authorizers.get(authorizerId)?.authorize(request, methodArn);
    if (typeof authorization === 'string') return authorization;
    const context = { requestId, api, resourcePath, authorizer: authorization, signer };
    const event = proxyEvent(request, match, requestContext(request, context));
    return invokeProxy(backend, event);
  }

  async function invokeProxy(
    { functionArn, timeoutMs }: FunctionBackend,
    event: unknown,
  ): Promise<HttpAnswer | GatewayResponseType> {
    const pool = options.poolOf(functionArn);
    const timedOut = Symbol('timed out');
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<typeof timedOut>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, timedOut);
    });
    try {
      const invocation = options.concurrency.request(pool, event);
      const response = await Promise.race([invocation, timeout]);
      if (response === timedOut) {
        // The invocation goes on, and the pool reports its failure.
        invocation.catch(() => {});
        return 'INTEGRATION_TIMEOUT';
      }
      const answer = proxyAnswer(response);
      if (!answer)
        options.onMalformedResponse(pool.settings.name, 'Malformed Lambda proxy response');
      return answer ?? 'INTEGRATION_FAILURE';
    } catch {
      return 'INTEGRATION_FAILURE';
    } finally {
      clearTimeout(timer);
    }
  }
};

const RESPONSE_TYPES = [
  'ACCESS_DENIED',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'INTEGRATION_FAILURE',
  'INTEGRATION_TIMEOUT',
  'INVALID_SIGNATURE',
  'MISSING_AUTHENTICATION_TOKEN',
  'REQUEST_TOO_LARGE',
  'THROTTLED',
  'UNAUTHORIZED',
] as const;

type GatewayResponseType = (typeof RESPONSE_TYPES)[number];

/** Returns a function that gives an answer without a function. Throws when a type is missing. */
const createGatewayResponses = ({ gatewayResponses, stage }: ApiDefinition) => {
  const byType = new Map(gatewayResponses.map((response) => [response.type, response]));
  const missing = RESPONSE_TYPES.find((type) => !byType.has(type));
  if (missing) throw new Error(`The REST API has no gateway response ${missing}`);
  return (type: GatewayResponseType, requestId: string): HttpAnswer => {
    const { headers = [], status = 500, template = '' } = byType.get(type) ?? {};
    return {
      status,
      headers: [...headers, ['x-amzn-requestid', requestId]],
      body: template
        .replaceAll('$context.requestId', requestId)
        // In AWS the path of a problem's page begins with the stage.
        .replace(`"type":"/${stage}/`, '"type":"/'),
    };
  };
};
