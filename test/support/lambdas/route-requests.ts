import { ROUTES } from '../../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../../lambdas/api/runtime/route.ts';
import type { ApiCall } from '../journey/platform-of.ts';

/** Of a path's parameters, by their names. */
export type PathValues = Readonly<Record<string, string>>;

/** What a path such as `/integrations/{id}` leads to. Throws for a parameter without a value. */
export const filledPath = (path: string, values: PathValues): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`There is no ${name} for ${path}.`);
    return encodeURIComponent(value);
  });

/** An example of each parameter that the query must have. */
export const requiredQueryOf = ({ query }: Pick<Route, 'query'>): string => {
  const required = Object.entries(query?.shape ?? {}).filter(
    ([, schema]) => !schema.safeParse(undefined).success,
  );
  const given = required.map(([name, schema]): [string, string] => [
    name,
    String(schema.meta()?.example),
  ]);
  return new URLSearchParams(given).toString();
};

/** The path with what the query must have. */
export const filledAddress = (route: Route, values: PathValues): string => {
  const query = requiredQueryOf(route);
  return `${filledPath(route.path, values)}${query && `?${query}`}`;
};

export const parametersIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** A valid body, where the route reads one. */
export const validBodyOf = ({ body }: { body?: Route['body'] }): Pick<ApiCall, 'body'> => {
  const [example] = Object.values(body?.examples ?? {});
  return example === undefined ? {} : { body: example.value };
};

/** Well-formed, and of nothing that there is. */
export const OF_NOTHING: PathValues = {
  account_name: 'nobody',
  account: 'nobody',
  id: '000000000000',
  event: 'evt_none',
  user: 'u_nobody',
  token: 'tok_0000000000000000',
  document: 'Nothing.jsonld',
  asset: 'nothing.js',
  page: 'no-such-page',
  receiver: 'no-such-receiver',
  file: 'no-such-file',
  kind: 'nothing',
  schema: 'nothing.json',
  reason: 'no-such-reason',
};

/** The route of a path without a query, and the path's parameters as API Gateway hands them on. */
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
