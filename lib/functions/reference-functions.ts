import type { Construct } from 'constructs';
import type { Environment as GetContext } from '../../lambdas/api/reference/get-context/compose.ts';
import { route as getContext } from '../../lambdas/api/reference/get-context/route.ts';
import type { Environment as GetDocs } from '../../lambdas/api/reference/get-docs/compose.ts';
import { assetRoute, route as getDocs } from '../../lambdas/api/reference/get-docs/route.ts';
import type { Environment as GetHome } from '../../lambdas/api/reference/get-home/compose.ts';
import { route as getHome } from '../../lambdas/api/reference/get-home/route.ts';
import type { Environment as GetOpenapi } from '../../lambdas/api/reference/get-openapi/compose.ts';
import { route as getOpenapi } from '../../lambdas/api/reference/get-openapi/route.ts';
import type { Environment as ListEventTypes } from '../../lambdas/api/reference/list-event-types/compose.ts';
import { route as listEventTypes } from '../../lambdas/api/reference/list-event-types/route.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { apiFunction } from './api-function.ts';
import type { ServiceParts } from './service-parts.ts';

/**
 * Functions for the routes that describe the API. They use no table and no queue, so their roles
 * allow nothing.
 */
export const referenceFunctions = (scope: Construct, parts: ServiceParts) => [
  ...apiFunction<ListEventTypes>(scope, parts, {
    name: 'list-event-types',
    routes: [listEventTypes],
    environment: {},
    permissions: [],
    isReleasedAtOnce: true,
  }),
  ...apiFunction<GetHome>(scope, parts, {
    name: 'get-home',
    routes: [getHome],
    // The console's pages are those that may call the API from a browser.
    environment: { CONSOLE_URL: parts.corsOrigin },
    permissions: [],
    isReleasedAtOnce: true,
  }),
  ...apiFunction<GetContext>(scope, parts, {
    name: 'get-context',
    routes: [getContext],
    environment: {},
    permissions: [],
    isReleasedAtOnce: true,
  }),
  ...apiFunction<GetOpenapi>(scope, parts, {
    name: 'get-openapi',
    routes: [getOpenapi],
    environment: { SERVICE_VERSION: packageJson.version },
    permissions: [],
    isReleasedAtOnce: true,
  }),
  ...apiFunction<GetDocs>(scope, parts, {
    name: 'get-docs',
    routes: [getDocs, assetRoute],
    environment: {},
    permissions: [],
    isReleasedAtOnce: true,
  }),
];
