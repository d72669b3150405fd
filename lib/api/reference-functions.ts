import type { Construct } from 'constructs';
import { route as getContext } from '../../lambdas/get-context/route.ts';
import { assetRoute, route as getDocs } from '../../lambdas/get-docs/route.ts';
import { route as getOpenapi } from '../../lambdas/get-openapi/route.ts';
import { route as listEventTypes } from '../../lambdas/list-event-types/route.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { Surroundings } from '../surroundings.ts';
import { apiFunction } from './api-function.ts';

/** Functions for the routes that tell how to use the others. They keep nothing and may do nothing. */
export const referenceFunctions = (scope: Construct, surroundings: Surroundings) => [
  ...apiFunction(scope, surroundings, {
    name: 'list-event-types',
    routes: [listEventTypes],
    environment: {},
    permissions: [],
  }),
  ...apiFunction(scope, surroundings, {
    name: 'get-context',
    routes: [getContext],
    environment: {},
    permissions: [],
  }),
  ...apiFunction(scope, surroundings, {
    name: 'get-openapi',
    routes: [getOpenapi],
    environment: { SERVICE_VERSION: packageJson.version },
    permissions: [],
  }),
  ...apiFunction(scope, surroundings, {
    name: 'get-docs',
    routes: [getDocs, assetRoute],
    environment: {},
    permissions: [],
  }),
];
