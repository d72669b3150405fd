import type { RefusalKind } from '../../../core/refusal.ts';
import { GATEWAY_PROBLEMS, type GatewayProblem } from '../runtime/gateway-problems.ts';
import type { Route } from '../runtime/route.ts';

/** Every kind of refusal of a route: its own, and the kinds that access, query and body imply. */
export const refusalKindsOf = (route: Route): readonly RefusalKind[] => {
  const kinds: RefusalKind[] = [...route.refusals];
  if (route.access !== 'public') kinds.push('not-acceptable');
  if (route.access === 'admin') kinds.push('forbidden');
  if (route.query !== undefined) kinds.push('validation');
  if (route.body !== undefined) {
    kinds.push('malformed-json', 'payload-too-large', 'unsupported-media-type', 'validation');
  }
  return [...new Set(kinds)];
};

/** The problems that the gateway may answer with in place of a route's function. */
export const gatewayProblemsOf = (route: Route): readonly GatewayProblem[] => {
  const { badRequest, unauthorized, throttled, internal, timeout } = GATEWAY_PROBLEMS;
  const always = [badRequest, throttled, internal, timeout];
  return route.access === 'public' ? always : [unauthorized, ...always];
};
