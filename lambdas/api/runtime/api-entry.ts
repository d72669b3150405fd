import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import { entry, type FunctionModule } from '../../runtime/entry.ts';
import { SECURITY_HEADERS } from './gateway-problems.ts';
import type { Route } from './route.ts';

export type ApiHandler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** What the file of a route exports. */
interface RouteModule<Deps> {
  readonly route: Pick<Route, 'method' | 'path'>;
  readonly createHandler: (deps: Deps) => ApiHandler;
}

/** The handler of a function that serves several routes. API Gateway names the route of a request. */
export const dispatch = <Deps>(routes: readonly RouteModule<Deps>[], deps: Deps): ApiHandler => {
  const handlers = new Map(
    routes.map(({ route, createHandler }) => [
      `${route.method} ${route.path}`,
      createHandler(deps),
    ]),
  );
  return async (event, context) => {
    const isHead = event.httpMethod === 'HEAD';
    const name = `${isHead ? 'GET' : event.httpMethod} ${event.resource}`;
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`This function does not serve ${name}.`);
    const result = await handler(event, context);
    return isHead ? { ...result, body: '' } : result;
  };
};

/**
 * The entry of an API function: every answer has the security headers. If `CORS_ORIGIN` is set,
 * pages of that origin may read answers.
 */
export const apiEntry = <Schema extends z.ZodType, Deps>(
  environment: NodeJS.ProcessEnv,
  parts: FunctionModule<Schema, Deps, ApiHandler>,
): ApiHandler => secured(allowingOrigin(environment.CORS_ORIGIN, entry(environment, parts)));

/** Adds the security headers to a handler's answers. */
const secured =
  (handler: ApiHandler): ApiHandler =>
  async (event, context) => {
    const result = await handler(event, context);
    return { ...result, headers: { ...result.headers, ...SECURITY_HEADERS } };
  };

/** Headers that a page may read beside those that CORS allows anyway. */
const EXPOSED = 'ETag, Location, Retry-After';

/**
 * Adds the CORS headers of an origin to a handler's answers. Without an origin no page may read an
 * answer; the gateway then answers no preflight either.
 */
export const allowingOrigin = (origin: string | undefined, handler: ApiHandler): ApiHandler =>
  origin === undefined
    ? handler
    : async (event, context) => {
        const result = await handler(event, context);
        return {
          ...result,
          headers: {
            ...result.headers,
            'Access-Control-Allow-Origin': origin,
            'Access-Control-Expose-Headers': EXPOSED,
          },
        };
      };
