import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import type { Principal } from '../../core/directory/user.ts';

/**
 * Answers with the principal of a request's token, or denies. API Gateway would answer 401 to the
 * error `Unauthorized` too, but Lambda counts each error of a function, and alarms and releases
 * watch that count; the gateway response for a denied request is the problem `unauthorized` instead.
 *
 * The policy is for every route, because the gateway caches it for all routes of the token: the
 * functions check role and account.
 *
 * Texts in the context are of ASCII, and a console link gives its user any name.
 */
export const createHandler =
  (deps: { authenticate: (authorization: string) => Promise<Principal | undefined> }) =>
  async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const principal = await deps.authenticate(event.authorizationToken);
    const user = encodeURIComponent(principal?.user ?? 'unknown');
    return {
      principalId: user,
      ...(principal && { context: { ...principal, user } }),
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Action: 'execute-api:Invoke',
            Effect: principal ? 'Allow' : 'Deny',
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
