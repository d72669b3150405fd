import type { APIGatewayProxyEvent } from 'aws-lambda';
import { FREE_FORM_SETTINGS } from '../../../core/integration/found-settings.ts';
import { FREE_FORM_MEMBERS, LINK_MEMBERS } from '../../../core/json-ld/vocabulary.ts';

/**
 * The part of the request's path before the route's own segments: a stage, a base path. API Gateway
 * takes a path with a slash at its end for the path without, and hands the slash on.
 */
export const basePath = ({ resource, requestContext }: APIGatewayProxyEvent): string => {
  const segments = segmentsOf(requestContext.path);
  const ownSegments = segmentsOf(resource).length;
  return segments
    .slice(0, Math.max(0, segments.length - ownSegments))
    .map((segment) => `/${segment}`)
    .join('');
};

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** Members whose values are paths of the API: links, and the `type` of a problem. */
export const PATH_MEMBERS: ReadonlySet<string> = new Set([...LINK_MEMBERS, 'type']);

export const FREE_FORM: ReadonlySet<string> = new Set([
  ...FREE_FORM_MEMBERS,
  ...FREE_FORM_SETTINGS,
]);

/**
 * The document with `base` before each path in a link, at any depth: a JSON-LD processor resolves
 * paths against the host alone, and the API is served below `base`. Free-form members stay as they
 * are.
 */
export const belowBasePath = (
  document: Readonly<Record<string, unknown>>,
  base: string,
): Readonly<Record<string, unknown>> => (base === '' ? document : rebased(document, base));

const rebased = (
  document: Readonly<Record<string, unknown>>,
  base: string,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, rebasedMember(name, value, base)]),
  );

const rebasedMember = (name: string, value: unknown, base: string): unknown => {
  if (FREE_FORM.has(name)) return value;
  if (PATH_MEMBERS.has(name) && typeof value === 'string' && value.startsWith('/')) {
    return base + value;
  }
  return rebasedValue(value, base);
};

const rebasedValue = (value: unknown, base: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => rebasedValue(item, base));
  if (typeof value !== 'object' || value === null) return value;
  return rebased(value as Record<string, unknown>, base);
};
