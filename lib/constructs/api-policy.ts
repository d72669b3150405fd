import {
  AnyPrincipal,
  ArnPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { needsToken, type Route } from '../../lambdas/api/runtime/route.ts';

/** A route, and the function that answers its requests. */
export interface ServiceRoute extends Pick<Route, 'method' | 'path' | 'access' | 'isCostly'> {
  readonly handler: IFunction;
}

/** Public documents answer HEAD, too. */
export const methodsOf = ({ access, method }: ServiceRoute): readonly string[] =>
  access === 'public' && method === 'GET' ? [method, 'HEAD'] : [method];

/**
 * Who may invoke the methods of the API, if it has some for roles. Roles of other AWS accounts need
 * its permission beside their own, and those of the same account may have one of their own for all
 * APIs, so the others are denied. With a policy, methods without an authorizer need its permission;
 * the authorizer's is enough for the others.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 */
export const invocationPolicy = (
  routes: readonly ServiceRoute[],
  roleArns: readonly string[],
): PolicyDocument => {
  const open = routes.filter((route) => !needsToken(route) && route.access !== 'platform');
  const ofPlatform = resourcesOf(routes.filter(({ access }) => access === 'platform'));
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        ...INVOKE,
        principals: [new AnyPrincipal()],
        resources: [...resourcesOf(open), 'execute-api:/*/OPTIONS/*'],
      }),
      new PolicyStatement({
        ...INVOKE,
        principals: roleArns.map((arn) => new ArnPrincipal(arn)),
        resources: ofPlatform,
      }),
      new PolicyStatement({
        ...INVOKE,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        resources: ofPlatform,
        conditions: { StringNotEquals: { 'aws:PrincipalArn': roleArns } },
      }),
    ],
  });
};

const INVOKE = { actions: ['execute-api:Invoke'] };

/** API Gateway completes them with the ARN of the API. */
const resourcesOf = (routes: readonly ServiceRoute[]): string[] =>
  routes.flatMap((route) =>
    methodsOf(route).map(
      (method) => `execute-api:/*/${method}${route.path.replaceAll(/\{\w+\}/g, '*')}`,
    ),
  );
