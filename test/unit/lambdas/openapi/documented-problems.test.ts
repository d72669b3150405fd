import { describe, expect, it } from 'vitest';
import {
  answerExamplesOf,
  bodyExamplesOf,
  type DocumentedOperation,
  headersOf,
  OPERATIONS,
  shapeOf,
  statusesOf,
} from '../../../support/lambdas/documented-operations.ts';
import {
  fullScene,
  inactiveScene,
  manyTokensScene,
  perform,
  type Scene,
  type SceneRequest,
  testedScene,
  usualScene,
} from '../../../support/lambdas/memory-scenes.ts';
import { OF_NOTHING, parametersIn } from '../../../support/lambdas/route-requests.ts';

interface ProblemExample {
  readonly type: string;
  readonly title: string;
  readonly errors?: readonly object[];
}

/** A call that is wrong in one way. */
interface Provocation {
  readonly how: string;
  readonly scene?: () => Promise<Scene>;
  /** A request that is made before, and accepted. */
  readonly before?: SceneRequest;
  readonly request: SceneRequest;
}

const json = { 'content-type': 'application/json' };
const key = { headers: { ...json, 'Idempotency-Key': 'of-a-documented-problem' } };

/** How a call of an operation provokes a problem, by the last part of the problem's type. */
const PROVOCATIONS: Readonly<
  Record<string, (of: DocumentedOperation, example: ProblemExample) => Provocation[]>
> = {
  forbidden: () => [
    {
      how: 'by a member, or another role of IAM',
      request: { role: 'member', userArn: 'arn:aws:sts::444455556666:assumed-role/other/backend' },
    },
  ],
  'not-found': ({ route }) =>
    parametersIn(route.path).map((name) => ({
      how: `of an unknown {${name}}`,
      request: { values: { [name]: OF_NOTHING[name] ?? '' } },
    })),
  'not-acceptable': () => [
    { how: 'for HTML', request: { headers: { ...json, Accept: 'text/html' } } },
  ],
  'malformed-json': ({ operation }) => [
    { how: 'with half a body', request: { body: '{"active":' } },
    ...(operation.requestBody?.required ? [{ how: 'without a body', request: { body: '' } }] : []),
  ],
  'unsupported-media-type': () => [
    {
      how: 'with a form',
      request: { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    },
  ],
  'payload-too-large': () => [
    { how: 'with 64 KiB and a byte', request: { body: ' '.repeat(65_537) } },
  ],
  validation: (_of, { errors = [] }) => {
    if (errors.some((fault) => 'header' in fault)) {
      const headers = { ...json, 'Idempotency-Key': 'é' };
      return [{ how: 'with a bad header', request: { headers } }];
    }
    return errors.some((fault) => 'pointer' in fault)
      ? [{ how: 'with an unknown member', request: { body: { colour: 'red' } } }]
      : [{ how: 'with an unknown parameter', request: { query: 'colour=red' } }];
  },
  'precondition-failed': () => [
    {
      how: 'with the tag of another state',
      request: { headers: { ...json, 'If-Match': '"other"' } },
    },
  ],
  'integration-inactive': () => [
    { how: 'of an inactive integration', scene: inactiveScene, request: {} },
  ],
  'integration-quota': () => [{ how: 'in a full account', scene: fullScene, request: {} }],
  'access-token-quota': () => [{ how: 'in a full account', scene: manyTokensScene, request: {} }],
  'console-link-expired': () => [
    { how: 'with another code', request: { body: { code: `mcl_${'A'.repeat(43)}` } } },
  ],
  'test-delivery': () => [{ how: 'of a test', scene: testedScene, request: {} }],
  'idempotency-conflict': ({ operation }) => [
    {
      how: 'with the key of another body',
      before: key,
      request: { ...key, body: bodyExamplesOf(operation).at(-1)?.value },
    },
  ],
};

/**
 * The gateway answers with the first three, before a function is called: the journeys provoke 401 on
 * every route. A `conflict` needs many changes at once.
 */
const NOT_PROVOKED = ['unauthorized', 'bad-request', 'throttled', 'conflict'];

const documented = OPERATIONS.flatMap((of) =>
  statusesOf(of.operation)
    .filter((status) => status >= 400 && status < 500)
    .flatMap((status) =>
      answerExamplesOf(of.operation, status).map(({ value }) => {
        const example = value as ProblemExample;
        return { of, status, example, kind: example.type.replace('/problems/', '') };
      }),
    )
    .filter(({ kind }) => !NOT_PROVOKED.includes(kind)),
);

const cases = documented.flatMap(({ of, status, example, kind }) => {
  const provoke = PROVOCATIONS[kind];
  if (provoke === undefined) throw new Error(`Nothing provokes ${kind}.`);
  return provoke(of, example).map((provocation) => ({
    ...{ of, status, example, kind, provocation },
    title: `${of.operation.operationId} ${provocation.how}`,
  }));
});

describe('A call that is wrong in one way', () => {
  it.each(cases)(
    'is refused as documented and changes nothing, $status $kind: $title',
    async (wrong) => {
      const { of, status, example, kind, provocation } = wrong;
      const scene = await (provocation.scene ?? usualScene)();
      const [valid] = bodyExamplesOf(of.operation);
      const send = (request: SceneRequest) =>
        perform(of, scene, { ...(valid && { body: valid.value }), ...request });

      if (provocation.before) expect((await send(provocation.before)).status).toBeLessThan(300);
      const before = scene.api.state();
      const reply = await send(provocation.request);

      expect(reply.status).toBe(status);
      expect(reply.headers['content-type']).toBe('application/problem+json');
      expect(reply.document).toMatchObject({
        type: `/problems/${kind}`,
        title: example.title,
        status,
      });
      expect(shapeOf(reply.document)).toEqual(shapeOf(example));
      const names = headersOf(of.operation, status).map((name) => name.toLowerCase());
      expect(Object.keys(reply.headers)).toEqual(expect.arrayContaining(names));
      expect(scene.api.state()).toEqual(before);
    },
  );
});

describe('The reference', () => {
  it('documents no problem that is not provoked here', () => {
    const provoked = new Set(cases.map(({ example }) => example));

    expect(documented.filter(({ example }) => !provoked.has(example))).toEqual([]);
    expect([...new Set(documented.map(({ status }) => status))].toSorted()).toEqual([
      400, 403, 404, 406, 409, 412, 413, 415, 422,
    ]);
  });
});
