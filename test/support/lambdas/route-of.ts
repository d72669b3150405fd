import { ROUTES } from '../../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../../lambdas/api/runtime/route.ts';

/** The route that a path without a query is of. */
export const routeOf = (
  method: string,
  path: string,
): { route: Route; pathParameters: Record<string, string> } => {
  for (const route of ROUTES) {
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = route.method === method && new RegExp(`^${pattern}$`).exec(path);
    if (match) return { route, pathParameters: { ...match.groups } };
  }
  throw new Error(`There is no ${method} ${path}.`);
};
