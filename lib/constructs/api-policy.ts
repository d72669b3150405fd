import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Route } from '../../lambdas/api/runtime/route.ts';

/** A route, and the function that answers its requests. */
export interface ServiceRoute extends Pick<Route, 'method' | 'path' | 'access' | 'isCostly'> {
  readonly handler: IFunction;
}

/** Public documents answer HEAD, too. */
export const methodsOf = ({ access, method }: ServiceRoute): readonly string[] =>
  access === 'public' && method === 'GET' ? [method, 'HEAD'] : [method];

/**
 * Who may invoke the methods of the API: each method has its own check, and those for roles admit no
 * others, whatever their own permissions. Every stage has a policy, because CloudFormation leaves the
 * API the one that a template no longer has. Methods without an authorizer need its permission, and
 * roles of other AWS accounts need it beside their own.
 * https://github.com/aws/aws-cdk/issues/21840
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 */
export const invocationPolicy = (
  routes: readonly ServiceRoute[],
  roleArns: readonly string[],
): PolicyDocument => {
  const ofPlatform = routes.filter(({ access }) => access === 'platform').map(resourceOf);
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...INVOKE, resources: ['execute-api:/*'] }),
      ...(ofPlatform.length === 0
        ? []
        : [
            new PolicyStatement({
              ...INVOKE,
              effect: Effect.DENY,
              resources: ofPlatform,
              conditions: { StringNotEquals: { 'aws:PrincipalArn': roleArns } },
            }),
          ]),
    ],
  });
};

const INVOKE = { actions: ['execute-api:Invoke'], principals: [new AnyPrincipal()] };

/** API Gateway completes it with the ARN of the API. */
const resourceOf = ({ method, path }: ServiceRoute): string =>
  `execute-api:/*/${method}${path.replaceAll(/\{\w+\}/g, '*')}`;
