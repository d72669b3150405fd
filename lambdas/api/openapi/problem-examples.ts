import { STATUS_CODES } from 'node:http';
import type { Fault, RefusalKind } from '../../../core/refusal.ts';
import {
  GATEWAY_PROBLEMS,
  type GatewayProblem,
  type ProblemKind,
  problemType,
} from '../runtime/gateway-problems.ts';
import { HEADERS_OF, STATUS_OF } from '../runtime/problem-json.ts';
import type { ProblemDocument } from '../runtime/problem-resource.ts';
import type { Route } from '../runtime/route.ts';

export interface ProblemExample {
  /** Unique among all examples of problems. */
  readonly name: string;
  /** When a call is answered with this problem. */
  readonly summary: string;
  readonly value: ProblemDocument;
  /** The names of the headers that the problem has beside those of every problem. */
  readonly headers: readonly string[];
}

const INSTANCE = 'urn:uuid:7a1d3a1e-5f0e-4f7b-9c55-3d2b8f1c6e04';

interface Words {
  readonly summary: string;
  readonly detail: string;
  readonly fault?: Fault;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Without `validation`, which has an example each for body, query and header below. */
const REFUSALS: Readonly<Record<Exclude<RefusalKind, 'validation'>, Words>> = {
  'malformed-json': {
    summary: 'The body is absent or not JSON.',
    detail: 'The request body is not JSON.',
  },
  forbidden: {
    summary: 'The token’s role does not allow it.',
    detail: 'Only an organisation admin may do this.',
  },
  'not-found': {
    summary: 'There is no such thing, or it is of another account.',
    detail: 'There is nothing of yours at this address.',
  },
  'not-acceptable': {
    summary: '`Accept` allows none of our media types.',
    detail: 'Answers are written in application/vnd.service+jsonld.',
  },
  conflict: {
    summary: 'Other changes of the integration were made at the same time, again and again.',
    detail: 'Other changes of the integration were made at the same time. Try again in a second.',
  },
  'idempotency-conflict': {
    summary: 'The `Idempotency-Key` was used with another body.',
    detail: 'This Idempotency-Key was used with another request body within the last 24 hours.',
  },
  'integration-inactive': {
    summary: 'The integration is inactive: nothing is sent to it.',
    detail: 'The integration is inactive, so nothing is sent: set `active` to true first.',
  },
  'integration-quota': {
    summary: 'The account has all the integrations it may have.',
    detail: 'The account has 100 integrations, and an account may have no more: delete one first.',
  },
  'access-token-quota': {
    summary: 'The account has all the access tokens it may have.',
    detail:
      'The account has 1000 access tokens, with those revoked in the last 30 days, and an account may have no more.',
  },
  'test-delivery': {
    summary: 'The delivery is a test, which is not sent again.',
    detail: 'This was a test: send another one instead.',
  },
  'precondition-failed': {
    summary: 'The settings have changed since they had the `ETag` that `If-Match` names.',
    detail: 'The integration is not as If-Match says: read it again.',
  },
  'payload-too-large': {
    summary: 'The body is larger than 65,536 bytes.',
    detail: 'A request body has at most 65536 bytes.',
  },
  'unsupported-media-type': {
    summary: 'The `Content-Type` of the body is none that is read.',
    detail:
      'The Content-Type of a request body must be one of application/vnd.service+jsonld, application/ld+json, application/json.',
  },
};

const INVALID_BODY: Words = {
  summary: 'The body is JSON, and not valid: `errors` names each member.',
  detail: 'The request body is not valid.',
  fault: { pointer: '/colour', detail: 'is not a known member' },
};

const INVALID_QUERY: Words = {
  summary: 'The query is not valid: `errors` names each parameter.',
  detail: 'A query parameter of the request is not valid.',
  fault: { parameter: 'limit', detail: 'must be at most 100' },
};

const INVALID_HEADER: Words = {
  summary: 'A header is not valid: `errors` names it.',
  detail: 'A header of the request is not valid.',
  fault: { header: 'Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' },
};

const GATEWAY_SUMMARIES: Readonly<Record<number, string>> = {
  400: 'The request is not readable at all.',
  401: 'There is no token, or an unknown or a revoked one.',
  429: 'Requests come too fast.',
  500: 'Our fault. A read, `PUT` and `DELETE` can be repeated; so can a creation with an `Idempotency-Key`.',
  504: 'Our fault: no answer in time.',
};

/** One example of each problem that a call of a route may be answered with. */
export const problemExamplesOf = (route: Route): readonly ProblemExample[] => [
  ...refusalKindsOf(route).flatMap((kind) =>
    kind === 'validation' ? invalidOf(route) : [refusalExampleOf(kind)],
  ),
  ...gatewayProblemsOf(route).map(gatewayExampleOf),
];

const refusalExampleOf = (kind: Exclude<RefusalKind, 'validation'>): ProblemExample =>
  exampleOf(kind, STATUS_OF[kind], { ...REFUSALS[kind], headers: HEADERS_OF[kind] });

const invalidOf = ({ body, query, requestHeaders = [] }: Route): ProblemExample[] => [
  ...(body ? [invalid('body', INVALID_BODY)] : []),
  ...(query ? [invalid('query', INVALID_QUERY)] : []),
  ...(requestHeaders.includes('Idempotency-Key') ? [invalid('header', INVALID_HEADER)] : []),
];

const invalid = (part: 'body' | 'query' | 'header', words: Words): ProblemExample => ({
  ...exampleOf('validation', STATUS_OF.validation, words),
  name: `invalid-${part}`,
});

const gatewayExampleOf = ({ kind, status, detail, headers }: GatewayProblem): ProblemExample => ({
  ...exampleOf(kind, status, { summary: GATEWAY_SUMMARIES[status] ?? detail, detail, headers }),
  name: status === 504 ? 'timeout' : kind,
});

/** An example of a kind of problem, whichever call it answers. */
export const problemExampleOf = (kind: ProblemKind): ProblemExample => {
  if (kind === 'validation') {
    const summary = 'The body, a parameter of the query or a header is not valid.';
    return exampleOf(kind, STATUS_OF[kind], { ...INVALID_BODY, summary });
  }
  return isRefusalKind(kind) ? refusalExampleOf(kind) : gatewayExampleOf(OF_THE_GATEWAY[kind]);
};

const isRefusalKind = (kind: ProblemKind): kind is RefusalKind => kind in STATUS_OF;

const OF_THE_GATEWAY: Readonly<Record<Exclude<ProblemKind, RefusalKind>, GatewayProblem>> = {
  'bad-request': GATEWAY_PROBLEMS.badRequest,
  unauthorized: GATEWAY_PROBLEMS.unauthorized,
  throttled: GATEWAY_PROBLEMS.throttled,
  internal: GATEWAY_PROBLEMS.internal,
};

const exampleOf = (
  kind: ProblemKind,
  status: number,
  { summary, detail, fault, headers = {} }: Words,
): ProblemExample => ({
  name: kind,
  summary,
  headers: Object.keys(headers),
  value: {
    type: problemType(kind),
    title: STATUS_CODES[status] ?? '',
    status,
    detail,
    instance: INSTANCE,
    ...(fault && { errors: [fault] }),
  },
});

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
const gatewayProblemsOf = (route: Route): readonly GatewayProblem[] => {
  const { badRequest, unauthorized, throttled, internal, timeout } = GATEWAY_PROBLEMS;
  const always = [badRequest, throttled, internal, timeout];
  return route.access === 'public' ? always : [unauthorized, ...always];
};
