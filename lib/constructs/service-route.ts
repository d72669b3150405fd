import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Route } from '../../lambdas/api/runtime/route.ts';

/** A route, and the function that answers its requests. */
export interface ServiceRoute extends Pick<Route, 'method' | 'path' | 'access' | 'isCostly'> {
  readonly handler: IFunction;
}

/** Public documents answer HEAD, too. */
export const methodsOf = ({ access, method }: ServiceRoute): readonly string[] =>
  access === 'public' && method === 'GET' ? [method, 'HEAD'] : [method];
