import type { Route } from './api-definition.ts';

export interface RouteMatch {
  route: Route;
  /** As in the path, not percent-decoded. */
  pathParameters: Record<string, string>;
}

/** Finds routes as API Gateway does: by path, literal segments first, and then by method. */
export const createRouter = (routes: readonly Route[]) => {
  const candidates = routes
    .map((route) => ({ route, pattern: segmentsOf(route.path) }))
    .sort((left, right) => specificity(left.pattern).localeCompare(specificity(right.pattern)));
  return (method: string, path: string): RouteMatch | undefined => {
    const segments = segmentsOf(path);
    const matches = candidates.flatMap(({ route, pattern }) => {
      const pathParameters = matchSegments(pattern, segments);
      return pathParameters ? [{ route, pathParameters }] : [];
    });
    return matches.find(
      ({ route }) => route.path === matches[0]?.route.path && route.method === method,
    );
  };
};

const segmentsOf = (path: string): string[] => {
  const [, ...segments] = path.split('/');
  // A slash at the end of a path makes no difference.
  if (segments.at(-1) === '') segments.pop();
  return segments;
};

const specificity = (pattern: readonly string[]): string =>
  pattern.map((part) => (part.startsWith('{') ? '1' : '0')).join('');

const matchSegments = (
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined => {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index];
    if (!segment) return undefined;
    if (part.startsWith('{')) parameters[part.slice(1, -1)] = segment;
    else if (part !== decode(segment)) return undefined;
  }
  return parameters;
};

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
