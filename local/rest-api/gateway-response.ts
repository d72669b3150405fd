import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import type { ApiDefinition } from './api-definition.ts';
import { type RequestContext, substituteContext } from './request-context.ts';

/** What API Gateway answers by itself, unless the template says otherwise. */
const DEFAULTS = {
  ACCESS_DENIED: { status: 403, message: 'User is not authorized to access this resource' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'HTTP content length exceeded 10485760 bytes.' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
} as const;

export type GatewayResponseType = keyof typeof DEFAULTS;

const DEFAULT_TEMPLATE = '{"message":$context.error.messageString}';

export const renderGatewayResponse = (
  responseType: GatewayResponseType,
  context: RequestContext,
  { api, request }: { api: Pick<ApiDefinition, 'gatewayResponses'>; request: HttpRequest },
): HttpAnswer => {
  const { status, message } = DEFAULTS[responseType];
  const configured =
    api.gatewayResponses.get(responseType) ??
    api.gatewayResponses.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  const [[contentType, template] = ['application/json', DEFAULT_TEMPLATE]] = Object.entries(
    configured?.templates ?? {},
  );
  const error = { message, messageString: JSON.stringify(message), responseType };
  const headers = new Map([['content-type', contentType]]);
  for (const [name, expression] of Object.entries(configured?.parameters ?? {})) {
    const value = parameterValue(expression, context, request);
    const [, header] = /^gatewayresponse\.header\.(.+)$/.exec(name) ?? [];
    if (header && value !== undefined) headers.set(header.toLowerCase(), value);
  }
  headers.set('x-amzn-requestid', context.requestId);
  return {
    status: configured?.status ?? status,
    headers: [...headers],
    body: substituteContext(template, { ...context, error }),
  };
};

/** `'text'`, `context.name`, or `method.request.` and what the request carries. */
const parameterValue = (
  expression: string,
  context: RequestContext,
  request: HttpRequest,
): string | undefined => {
  if (/^'.*'$/s.test(expression)) return expression.slice(1, -1);
  if (expression.startsWith('context.')) return substituteContext(`$${expression}`, context);
  const [, source, name = ''] = /^method\.request\.(\w+)\.(.+)$/.exec(expression) ?? [];
  if (source === 'header') return request.headers[name.toLowerCase()]?.toString();
  if (source === 'querystring') return request.query.get(name) ?? undefined;
  return undefined;
};
