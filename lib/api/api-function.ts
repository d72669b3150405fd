import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Route } from '../../lambdas/_runtime/route.ts';
import type { ServiceRoute } from '../constructs/service-api.ts';
import {
  type FunctionName,
  ServiceFunction,
  type ServiceFunctionProps,
} from '../constructs/service-function.ts';
import type { Surroundings } from '../surroundings.ts';

/** The gateway waits for 29 s; most functions only read and write a few items. */
const USUAL_TIMEOUT = Duration.seconds(10);

type ApiFunctionProps<Name extends FunctionName> = Pick<
  ServiceFunctionProps<Name>,
  'environment' | 'permissions'
> & { readonly timeout?: Duration };

/** One function of the API, by its folder in lambdas/, for the routes that its `route.ts` has. */
export const apiFunction = <Name extends FunctionName>(
  scope: Construct,
  { settings }: Surroundings,
  given: ApiFunctionProps<Name> & {
    readonly name: Name;
    readonly routes: readonly [Route, ...Route[]];
  },
): readonly ServiceRoute[] => {
  const { name, routes, timeout = USUAL_TIMEOUT, ...props } = given;
  const { lambda } = new ServiceFunction(scope, constructIdOf(name), {
    ...props,
    name,
    description: routes.map(({ method, path }) => `${method} ${path}`).join(', '),
    settings,
    timeout,
    memoryMb: settings.memoryMb.api,
    ...(settings.corsOrigin !== undefined && { corsOrigin: settings.corsOrigin }),
  });
  return routes.map(({ method, path, access, isCostly }) => ({
    method,
    path,
    access,
    handler: lambda,
    ...(isCostly && { isCostly }),
  }));
};

const constructIdOf = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
