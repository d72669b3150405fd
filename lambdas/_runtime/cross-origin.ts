import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What a page may read of an answer beside its body and the few headers that all may. */
const EXPOSED = 'ETag, Location';

/**
 * An API function whose answers pages of one origin may read. Without an origin, none may: the
 * gateway then answers no preflight either.
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
