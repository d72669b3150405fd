import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import type { Principal } from '../../core/directory/principal.ts';

/** API Gateway answers 401 to exactly this message, and 500 to any other. */
const UNAUTHORIZED = 'Unauthorized';

/**
 * Answers whom a request speaks for. What role and account may do is decided by the functions: the
 * gateway keeps this answer for a token's every route.
 */
export const createHandler =
  (deps: { authenticate: (authorization: string) => Promise<Principal | undefined> }) =>
  async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const principal = await deps.authenticate(event.authorizationToken);
    if (principal === undefined) throw new Error(UNAUTHORIZED);
    return {
      principalId: principal.user,
      context: { ...principal },
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Action: 'execute-api:Invoke',
            Effect: 'Allow',
            Resource: everyRouteOf(event.methodArn),
          },
        ],
      },
    };
  };

/** `arn:aws:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>` → every method and path of the stage. */
const everyRouteOf = (methodArn: string): string =>
  `${methodArn.split('/').slice(0, 2).join('/')}/*`;
