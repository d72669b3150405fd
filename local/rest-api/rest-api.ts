import { arn } from '../arn.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import type { ApiDefinition, Route } from './api-definition.ts';
import { type GatewayResponseType, renderGatewayResponse } from './gateway-response.ts';
import { mockAnswer } from './mock-integration.ts';
import { proxyEvent } from './proxy-event.ts';
import { proxyAnswer } from './proxy-response.ts';
import { createRequestContext, type RequestContext } from './request-context.ts';
import { createRouter, type RouteMatch } from './routing.ts';
import { createTokenAuthorizer, type TokenAuthorizer } from './token-authorizer.ts';

export interface RestApiOptions {
  poolOf: (functionArn: string) => FunctionPool;
  onMalformedResponse: (functionName: string, reason: string) => void;
}

/** API Gateway's limit. */
export const MAXIMUM_PAYLOAD_BYTES = 10 * 1024 * 1024;

/**
 * The REST API of the template, served at the root instead of under its stage. Throttling is not
 * emulated: a run on one machine is slower than any limit worth deploying.
 */
export const createRestApi = (api: ApiDefinition, options: RestApiOptions) => {
  const findRoute = createRouter(api.routes);
  const authorizers = createAuthorizers(api.routes, options.poolOf);

  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const context = createRequestContext(request, api);
    const answer = await answerOrFault(request, context);
    if (typeof answer === 'string') {
      return renderGatewayResponse(answer, context, { api, request });
    }
    return { ...answer, headers: [...answer.headers, ['x-amzn-requestid', context.requestId]] };
  };

  async function answerOrFault(
    request: HttpRequest,
    context: RequestContext,
  ): Promise<HttpAnswer | GatewayResponseType> {
    const match = findRoute(request.method, request.path);
    if (!match) return 'MISSING_AUTHENTICATION_TOKEN';
    if (request.tooLarge) return 'REQUEST_TOO_LARGE';
    const { path, authorizer, integration } = match.route;
    context.resourcePath = path;
    if (authorizer) {
      const methodArn = `${arn('execute-api', api.id)}/${api.stage}/${request.method}${request.path}`;
      const authorization = await authorizers.get(authorizer.id)?.authorize(request, methodArn);
      if (!authorization?.allowed) return authorization?.responseType ?? 'UNAUTHORIZED';
      context.authorizer = authorization.context;
    }
    return integration.kind === 'lambda'
      ? invokeProxy(request, { match, context, integration })
      : (mockAnswer(integration, context) ?? 'INTEGRATION_FAILURE');
  }

  async function invokeProxy(
    request: HttpRequest,
    { match, context, integration }: ProxyInvocation,
  ): Promise<HttpAnswer | GatewayResponseType> {
    const pool = options.poolOf(integration.functionArn);
    const { stageVariables } = api;
    const timedOut = Symbol('timed out');
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<typeof timedOut>((resolve) => {
      timer = setTimeout(resolve, integration.timeoutMs, timedOut);
    });
    try {
      const invocation = pool.invoke(proxyEvent(request, match, { context, stageVariables }));
      const response = await Promise.race([invocation, timeout]);
      if (response === timedOut) {
        // It goes on in the function, and how it ends is reported there.
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

interface ProxyInvocation {
  match: RouteMatch;
  context: RequestContext;
  integration: Extract<Route['integration'], { kind: 'lambda' }>;
}

const createAuthorizers = (
  routes: readonly Route[],
  poolOf: RestApiOptions['poolOf'],
): ReadonlyMap<string, TokenAuthorizer> =>
  new Map(
    routes.flatMap(({ authorizer }) =>
      authorizer
        ? [[authorizer.id, createTokenAuthorizer(authorizer, poolOf(authorizer.functionArn))]]
        : [],
    ),
  );
