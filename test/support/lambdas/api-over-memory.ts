import type { APIGatewayProxyResult } from 'aws-lambda';
import type { WebhookEndpoint } from '../../../core/delivery/sending/make-attempt.ts';
import type { Role } from '../../../core/directory/user.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { needsToken, type Route } from '../../../lambdas/api/runtime/route.ts';
import { HALF_PAST_TWELVE } from '../delivery/recovery/test-and-recover-parts.ts';
import { ScriptedWebhookEndpoint } from '../delivery/scripted-webhook-endpoint.ts';
import { type ApiEventWishes, anApiEvent, call } from './api-gateway-events.ts';
import { type ApiParts, type Observation, partsOf, stateOf } from './api-parts.ts';
import { handlerOverMemory } from './handlers-over-memory.ts';
import { anObservation } from './recording-logger.ts';
import { routeOf } from './route-requests.ts';

/** A call of the API as a client makes it, by an admin of `acme` by default. */
export interface ApiCall {
  readonly query?: string | undefined;
  readonly headers?: Record<string, string | string[]>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly role?: Role;
  readonly account?: string;
  readonly user?: string;
  /** The id of the access token. */
  readonly token?: string;
  /** Of the access token. */
  readonly expiresAt?: string;
  /** Of the session of IAM that signs the request. */
  readonly userArn?: string;
}

export interface ApiReply {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Record<string, string>;
  readonly text: string;
  /** The body if it is JSON. */
  readonly document: Record<string, unknown>;
}

export interface ApiOverMemory {
  readonly parts: ApiParts;
  readonly observation: Observation;
  /** Calls a route's function; `path` is made of the route's and the parameters. */
  send(route: Route, overrides?: Omit<ApiEventWishes, 'path'>): Promise<APIGatewayProxyResult>;
  /** Calls the function that serves a path. */
  call(method: string, path: string, request?: ApiCall): Promise<ApiReply>;
  /** All that the API keeps, as it is now, and what it has sent. */
  state(): unknown;
}

/** The function of every route, over memory, at half past twelve by default. */
export const apiOverMemory = (
  stored: readonly Integration[] = [],
  {
    now = () => HALF_PAST_TWELVE,
    endpoint = new ScriptedWebhookEndpoint() as WebhookEndpoint,
  } = {},
): ApiOverMemory => {
  const parts = partsOf(stored, { now, endpoint });
  const observation = anObservation();
  const handler = handlerOverMemory(parts, observation);
  const send: ApiOverMemory['send'] = (route, overrides = {}) => {
    const { method, path: resource } = route;
    const { pathParameters = {} } = overrides;
    const path = resource.replaceAll(/\{(\w+)\}/g, (_, name) => pathParameters[name] ?? '');
    return call(handler, anApiEvent({ ...overrides, method, path, resource }));
  };
  return {
    parts,
    observation,
    send,
    call: async (method, path, request) => {
      const [pathname = '', query] = path.split('?');
      const { route, pathParameters } = routeOf(method, pathname);
      return replyOf(await send(route, eventOf(route, { query, ...request }, pathParameters)));
    },
    state: () => stateOf(parts),
  };
};

/** What API Gateway makes of a call. */
const eventOf = (
  { access }: Route,
  { query, headers, body, role = 'admin', account = 'acme', user = 'usr_1', ...of }: ApiCall,
  pathParameters: Record<string, string>,
): ApiEventWishes => ({
  pathParameters,
  ...(query !== undefined && { query }),
  ...(needsToken({ access })
    ? { authorizer: { user: encodeURIComponent(user), account, role, ...of } }
    : { authorizer: null, userArn: of.userArn }),
  headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  body: typeof body === 'string' || body === undefined ? (body ?? null) : JSON.stringify(body),
});

const replyOf = ({ statusCode, headers = {}, body }: APIGatewayProxyResult): ApiReply => ({
  status: statusCode,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`]),
  ),
  text: body,
  document: body.startsWith('{') ? JSON.parse(body) : {},
});
