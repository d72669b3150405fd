import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Route } from '../../lambdas/api/runtime/route.ts';
import { targetOf } from '../constructs/gradual-release.ts';
import type { ServiceRoute } from '../constructs/service-api.ts';
import {
  ServiceFunction,
  type ServiceFunctionProps,
  type Variables,
} from '../constructs/service-function.ts';
import type { ServiceParts } from './service-parts.ts';

/** The gateway waits 29 s for a function; most functions only read and write a few items. */
const USUAL_TIMEOUT = Duration.seconds(10);

type ApiFunctionProps<Environment extends Variables> = Pick<
  ServiceFunctionProps<Environment>,
  'name' | 'environment' | 'permissions' | 'isReleasedAtOnce'
> & {
  readonly routes: readonly [Route, ...Route[]];
  readonly timeout?: Duration;
};

/** Adds one function of the API. Returns the function's routes. */
export const apiFunction = <Environment extends Variables = never>(
  scope: Construct,
  { settings, corsOrigin }: ServiceParts,
  { routes, timeout = USUAL_TIMEOUT, ...props }: ApiFunctionProps<Environment>,
): readonly ServiceRoute[] => {
  const { lambda } = new ServiceFunction<Environment>(scope, constructIdOf(props.name), {
    ...props,
    description: routes.map(({ method, path }) => `${method} ${path}`).join(', '),
    settings,
    timeout,
    memoryMb: settings.memoryMb.api,
    ...(corsOrigin !== undefined && { corsOrigin }),
  });
  return routes.map(({ method, path, access, isCostly }) => ({
    method,
    path,
    access,
    handler: targetOf(lambda),
    ...(isCostly && { isCostly }),
  }));
};

const constructIdOf = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
