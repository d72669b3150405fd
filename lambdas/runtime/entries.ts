import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import { tracedHandler } from '#tracing';
import { SECURITY_HEADERS } from '../api/runtime/security-headers.ts';

interface Parts<Schema extends z.ZodType, Deps, Handler> {
  readonly environmentSchema: Schema;
  readonly compose: (environment: z.output<Schema>) => Deps;
  readonly createHandler: (deps: Deps) => Handler;
}

/** The function that Lambda calls: the handler, composed with its dependencies at cold start. */
export const entry = <Schema extends z.ZodType, Deps, Handler>(
  environment: NodeJS.ProcessEnv,
  { environmentSchema, compose, createHandler }: Parts<Schema, Deps, Handler>,
): Handler =>
  tracedHandler(createHandler(compose(parseEnvironment(environmentSchema, environment))));

type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * The entry of an API function: every answer has the security headers. If `CORS_ORIGIN` is set,
 * pages of that origin may read answers.
 */
export const apiEntry = <Schema extends z.ZodType, Deps>(
  environment: NodeJS.ProcessEnv,
  parts: Parts<Schema, Deps, ApiHandler>,
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

/** Parses environment variables. Throws an error that names every variable that is wrong. */
export const parseEnvironment = <Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> => {
  const parsed = schema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Environment of the function is not usable. ${faults.join('; ')}`);
};
