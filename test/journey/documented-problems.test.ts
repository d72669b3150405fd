import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shapeOf } from '../support/journey/document-shapes.ts';
import { type Scene, usualScene } from '../support/journey/example-scenes.ts';
import { expectProblem } from '../support/journey/problems.ts';
import {
  CANNOT_BE_PROVOKED,
  kindOf,
  provocations,
  toldProblems,
} from '../support/journey/provoked-problems.ts';
import {
  bodyExamplesOf,
  headersToldOf,
  parameterExamplesOf,
  problemsOf,
  type ServedOperation,
  servedOperations,
  statusesOf,
} from '../support/journey/served-examples.ts';
import { filledPath } from '../support/lambdas/route-requests.ts';
import { startReceiver } from '../support/receiver/journey-receiver.ts';
import type { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';

let receiver: MisbehavingReceiver;
let usual: Scene;
beforeAll(async () => {
  receiver = await startReceiver();
  usual = await usualScene(receiver);
});
afterAll(() => receiver.retire());

const integrationOf = async ({ call, values }: Scene) => {
  const { headers, document } = await call('GET', `/integrations/${values.id}`);
  return { document, entityTag: headers.get('etag') };
};

/** Which statuses were seen of which operation. */
const seen = new Map(servedOperations.map(({ operation }) => [operation, new Set<number>()]));

const cases = provocations.map((provoked) => ({
  ...provoked,
  title: `${provoked.served.operation.operationId} ${provoked.provocation.how}`,
}));

describe('A call that is wrong in one way', () => {
  it.each(cases)('is refused as told and changes nothing, $status $kind: $title', async (wrong) => {
    const { served, status, kind, example, provocation } = wrong;
    const { operation, method, path } = served;
    const scene = (await provocation.scene?.(receiver)) ?? usual;
    const values = { ...parameterExamplesOf(operation, 'path'), ...scene.values };
    const [body] = bodyExamplesOf(operation);
    const valid = body ? { body: body.value } : {};
    const perform = (given: typeof values, request: typeof valid) =>
      scene.call(
        method.toUpperCase(),
        filledPath(path, given) + (provocation.query ?? ''),
        request,
      );

    if (provocation.before) {
      expect((await perform(values, provocation.before(valid))).status).toBeLessThan(300);
    }
    const before = await integrationOf(scene);
    const reply = await perform(
      { ...values, ...provocation.values },
      provocation.request(valid, scene),
    );

    expectProblem(reply, status, kind);
    expect(reply.document.title).toBe(example.title);
    expect(shapeOf(reply.document)).toEqual(shapeOf(example));
    for (const header of headersToldOf(operation, status)) {
      expect([...reply.headers.keys()]).toContain(header.toLowerCase());
    }
    expect(await integrationOf(scene)).toEqual(before);
    seen.get(operation)?.add(status);
  });
});

/** The statuses that an operation answers with for problems that no request provokes, and no other. */
const cannotBeProvoked = (operation: ServedOperation['operation']) => {
  const told = problemsOf(operation).map(({ status, example }) => ({
    status,
    isProvoked: !CANNOT_BE_PROVOKED.includes(kindOf(example.type)),
  }));
  const provoked = told.filter(({ isProvoked }) => isProvoked).map(({ status }) => status);
  return told.map(({ status }) => status).filter((status) => !provoked.includes(status));
};

describe('The reference', () => {
  it(`tells ${toldProblems.length} times of a problem that a request can provoke, and each is provoked, in ${cases.length} calls`, () => {
    const missing = servedOperations.flatMap(({ operation }) =>
      statusesOf(operation)
        .filter((status) => status >= 400 && status < 500)
        .filter((status) => !cannotBeProvoked(operation).includes(status))
        .filter((status) => !seen.get(operation)?.has(status))
        .map((status) => `${operation.operationId} ${status}`),
    );

    expect(missing).toEqual([]);
    expect([...new Set(toldProblems.map(({ status }) => status))].toSorted()).toEqual([
      400, 401, 403, 404, 406, 409, 412, 413, 415, 422,
    ]);
  });
});
