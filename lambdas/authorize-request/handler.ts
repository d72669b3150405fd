import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import type { Principal } from '../../core/directory/user.ts';

/** API Gateway answers 401 to exactly this message, and 500 to any other. */
const UNAUTHORIZED = 'Unauthorized';

/**
 * Answers with the principal of a request's token. The policy allows every route, because the
 * gateway caches the answer for all routes of the token: the functions check role and account.
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

/**
 * Every method and path of the stage in a method's ARN:
 * `arn:aws:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>`.
 */
const everyRouteOf = (methodArn: string): string =>
  `${methodArn.split('/').slice(0, 2).join('/')}/*`;
