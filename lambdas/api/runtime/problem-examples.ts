import { STATUS_CODES } from 'node:http';
import type { Fault, RefusalKind } from '../../../core/refusal.ts';
import { GATEWAY_PROBLEMS } from './gateway-problems.ts';
import type { ProblemDocument } from './problem-resource.ts';
import { PROBLEMS, type ProblemKind, problemType } from './problems.ts';
import type { Route } from './route.ts';

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

/** What is not valid, where it is, and how the example says so. */
const INVALID = {
  body: {
    summary: 'The body is not valid: `errors` names each member.',
    detail: PROBLEMS.validation.detail,
    fault: { pointer: '/colour', detail: 'is not a known member' },
  },
  query: {
    summary: 'The query is not valid: `errors` names each parameter.',
    detail: 'A query parameter of the request is not valid.',
    fault: { parameter: 'limit', detail: 'must be at most 100' },
  },
  header: {
    summary: 'A header is not valid: `errors` names it.',
    detail: 'A header of the request is not valid.',
    fault: { header: 'Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' },
  },
} as const;

/** One example of each problem that a call of a route may be answered with. */
export const problemExamplesOf = (route: Route): readonly ProblemExample[] => [
  ...refusalKindsOf(route).flatMap((kind) =>
    kind === 'validation' ? invalidOf(route) : [exampleOf(kind)],
  ),
  ...gatewayKindsOf(route).map((kind) => exampleOf(kind)),
  timeoutExample(),
];

const invalidOf = ({ body, query, requestHeaders = [] }: Route): ProblemExample[] => [
  ...(body ? [invalid('body')] : []),
  ...(query ? [invalid('query')] : []),
  ...(requestHeaders.includes('Idempotency-Key') ? [invalid('header')] : []),
];

const invalid = (part: keyof typeof INVALID): ProblemExample => ({
  ...exampleOf('validation', INVALID[part]),
  name: `invalid-${part}`,
});

const timeoutExample = (): ProblemExample => {
  const { kind, status, detail } = GATEWAY_PROBLEMS.timeout;
  const summary = 'An error of the service: no answer in time.';
  return { ...exampleOf(kind, { status, detail, summary }), name: 'timeout' };
};

interface Words {
  readonly status?: number;
  readonly summary?: string;
  readonly detail?: string;
  readonly fault?: Fault;
}

/** An example of a kind of problem, in the words of the catalogue or in others. */
const exampleOf = (
  kind: ProblemKind,
  {
    status = PROBLEMS[kind].status,
    summary = PROBLEMS[kind].summary,
    detail = PROBLEMS[kind].detail,
    fault,
  }: Words = {},
): ProblemExample => ({
  name: kind,
  summary,
  headers: Object.keys(PROBLEMS[kind].headers ?? {}),
  value: {
    type: problemType(kind),
    title: STATUS_CODES[status] ?? '',
    status,
    detail,
    instance: INSTANCE,
    ...(fault && { errors: [fault] }),
  },
});

/** The example of a kind, whichever call it answers. */
export const problemExampleOf = (kind: ProblemKind): ProblemExample =>
  exampleOf(kind, kind === 'validation' ? { fault: INVALID.body.fault } : {});

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

/** The problems that the gateway may answer with in place of a route's function, beside a timeout. */
const gatewayKindsOf = ({ access }: Route): readonly ProblemKind[] => [
  ...(access === 'public' || access === 'code' ? [] : ['unauthorized' as const]),
  'bad-request',
  'throttled',
  'internal',
];
