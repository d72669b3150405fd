import { OF_NOTHING, type PathValues, parametersIn } from '../lambdas/route-requests.ts';
import type { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import { fullScene, inactiveScene, type Scene, testedScene } from './example-scenes.ts';
import type { ApiCall } from './platform-of.ts';
import {
  bodyExamplesOf,
  type ProblemExample,
  problemsOf,
  type ServedOperation,
  servedOperations,
} from './served-examples.ts';

/** A call that is wrong in one way. */
interface Provocation {
  readonly how: string;
  /** In place of what nearly all are tried on. */
  readonly scene?: (receiver: MisbehavingReceiver) => Promise<Scene>;
  /** Is made before, and granted. */
  readonly before?: (valid: ApiCall) => ApiCall;
  readonly values?: PathValues;
  readonly query?: string;
  readonly request: (valid: ApiCall, scene: Scene) => ApiCall;
}

const MORE_THAN_IS_READ = 65_537;

const withHeaders =
  (headers: Readonly<Record<string, string>>) =>
  (valid: ApiCall): ApiCall => ({ ...valid, headers: { ...valid.headers, ...headers } });

const withBody =
  (body: unknown) =>
  (valid: ApiCall): ApiCall => ({ ...valid, body });

const withoutBody = (): ApiCall => ({ headers: { 'Content-Type': 'application/json' } });

const withKey = withHeaders({ 'Idempotency-Key': 'of-a-documented-problem' });

/** By the last part of a problem's type: how a call of an operation provokes it. */
const PROVOCATIONS: Readonly<
  Record<string, (served: ServedOperation, example: ProblemExample) => Provocation[]>
> = {
  unauthorized: () => [
    { how: 'without a token', request: (valid) => ({ ...valid, token: undefined }) },
  ],
  forbidden: () => [
    { how: 'by a member', request: (valid, { memberToken }) => ({ ...valid, token: memberToken }) },
  ],
  'not-found': ({ path }) =>
    parametersIn(path).map((name) => ({
      how: `of an unknown {${name}}`,
      values: { [name]: OF_NOTHING[name] ?? '' },
      request: (valid) => valid,
    })),
  'not-acceptable': () => [{ how: 'for HTML', request: withHeaders({ Accept: 'text/html' }) }],
  'malformed-json': ({ operation }) => [
    { how: 'with half a body', request: withBody('{"active":') },
    ...(operation.requestBody?.required ? [{ how: 'without a body', request: withoutBody }] : []),
  ],
  'unsupported-media-type': () => [
    {
      how: 'with a form',
      request: withHeaders({ 'Content-Type': 'application/x-www-form-urlencoded' }),
    },
  ],
  'payload-too-large': () => [
    { how: 'with 64 KiB and a byte', request: withBody(' '.repeat(MORE_THAN_IS_READ)) },
  ],
  validation: (_served, { errors = [] }) => {
    if (errors.some((fault) => 'header' in fault)) {
      return [{ how: 'with a bad header', request: withHeaders({ 'Idempotency-Key': 'a b' }) }];
    }
    return errors.some((fault) => 'pointer' in fault)
      ? [{ how: 'with an unknown member', request: withBody({ colour: 'red' }) }]
      : [{ how: 'with an unknown parameter', query: '?colour=red', request: (valid) => valid }];
  },
  'precondition-failed': () => [
    { how: 'with the tag of another state', request: withHeaders({ 'If-Match': '"of another"' }) },
  ],
  'integration-inactive': () => [
    { how: 'of an inactive integration', scene: inactiveScene, request: (valid) => valid },
  ],
  'integration-quota': () => [
    { how: 'in a full account', scene: fullScene, request: (valid) => valid },
  ],
  'test-delivery': () => [{ how: 'of a test', scene: testedScene, request: (valid) => valid }],
  'idempotency-conflict': ({ operation }) => [
    {
      how: 'with the key of another body',
      before: withKey,
      request: (valid) => ({
        ...withKey(valid),
        body: bodyExamplesOf(operation).at(-1)?.value,
      }),
    },
  ],
};

/**
 * What no one request to an embedded run provokes: the gateway answers by itself to what no client
 * of ours can send, and a `conflict` needs many changes at once.
 */
export const CANNOT_BE_PROVOKED = ['bad-request', 'throttled', 'conflict'];

export const kindOf = (type: string): string => type.replace('urn:service:problem:', '');

/** Every problem that operations are told to answer with, but those that are nobody's fault but ours. */
export const toldProblems = servedOperations.flatMap((served) =>
  problemsOf(served.operation)
    .map(({ status, example }) => ({ served, status, example, kind: kindOf(example.type) }))
    .filter(({ status, kind }) => status < 500 && !CANNOT_BE_PROVOKED.includes(kind)),
);

/** Throws for a problem that nothing here provokes. */
export const provocations = toldProblems.flatMap((told) => {
  const provoke = PROVOCATIONS[told.kind];
  if (provoke === undefined) throw new Error(`Nothing provokes ${told.kind}.`);
  return provoke(told.served, told.example).map((provocation) => ({ ...told, provocation }));
});
