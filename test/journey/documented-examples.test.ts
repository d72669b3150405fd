import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shapeOf, TOLD_MEMBERS } from '../support/journey/document-shapes.ts';
import { type Scene, sceneOf } from '../support/journey/example-scenes.ts';
import type { ApiCall, ApiReply } from '../support/journey/platform-of.ts';
import {
  answerExamplesOf,
  bodyExamplesOf,
  headersToldOf,
  parameterExamplesOf,
  type ServedOperation,
  servedDocument,
  servedOperations,
  statusesOf,
  successOf,
} from '../support/journey/served-examples.ts';
import { filledPath } from '../support/lambdas/route-requests.ts';
import { startReceiver } from '../support/receiver/journey-receiver.ts';
import type { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';

let receiver: MisbehavingReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.retire());

/** What the example of an operation is tried on. */
const sceneFor = ({ method, operation: { operationId } }: ServedOperation, example: string) =>
  sceneOf({ operationId, example, reads: method === 'get' }, receiver);

/** Parameters that name nothing of an account are as their own examples say. */
const perform = (
  { method, path, operation }: ServedOperation,
  { call, values, query = '' }: Scene,
  request: ApiCall,
): Promise<ApiReply> => {
  const filled = filledPath(path, { ...parameterExamplesOf(operation, 'path'), ...values });
  return call(method.toUpperCase(), filled + query, request);
};

/** Whether the host names of the examples resolve, and so are warned of, no example tells. */
const withoutWarnings = ({ document: { warnings: _, ...document } }: ApiReply) => document;

/** `call` has checked the answer against its schema. */
const expectAsTold = ({ operation }: ServedOperation, reply: ApiReply): void => {
  expect(reply.document).not.toHaveProperty('errors');
  expect(reply.status).toBe(successOf(operation));
  for (const header of headersToldOf(operation, reply.status)) {
    expect([...reply.headers.keys()]).toContain(header.toLowerCase());
  }
  const examples = answerExamplesOf(operation, reply.status);
  if (examples.length === 0) return;
  expect(examples.map(({ value }) => shapeOf(value))).toContainEqual(
    shapeOf(withoutWarnings(reply)),
  );
};

const requests = servedOperations.flatMap((served) =>
  bodyExamplesOf(served.operation).map((example) => ({
    served,
    example,
    title: `${served.operation.operationId}, ${example.name}, as ${example.mediaType}`,
  })),
);

const withoutBody = servedOperations
  .filter(({ operation }) => operation.requestBody?.required !== true)
  .map((served) => ({ served, title: served.operation.operationId }));

const withQuery = servedOperations
  .filter(({ operation }) => Object.keys(parameterExamplesOf(operation, 'query')).length > 0)
  .map((served) => ({ served, title: served.operation.operationId }));

/** Those that come of a certain state of things, whatever the request's example is. */
const answers = servedOperations.flatMap((served) =>
  answerExamplesOf(served.operation, successOf(served.operation)).map(({ name, value }) => ({
    served,
    name,
    value,
    title: `${served.operation.operationId}, ${name}`,
  })),
);

describe.concurrent('An example of a request', () => {
  it.each(requests)('is granted and answered as told: $title', async ({ served, example }) => {
    const scene = await sceneFor(served, example.name);

    const reply = await perform(served, scene, {
      body: example.value,
      headers: { 'Content-Type': example.mediaType },
    });

    expectAsTold(served, reply);
  });

  it.each(withoutBody)('needs no body where none is told of: $title', async ({ served }) => {
    const [first] = answerExamplesOf(served.operation, successOf(served.operation));
    const scene = await sceneFor(served, first?.name ?? '');

    const reply = await perform(served, scene, {});

    expectAsTold(served, reply);
  });

  it.each(withQuery)('may have every parameter as in its example: $title', async ({ served }) => {
    const { operation } = served;
    const scene = await sceneFor(served, 'parameters');
    const query = new URLSearchParams(parameterExamplesOf(operation, 'query'));

    const reply = await perform(served, { ...scene, query: `?${query}` }, {});

    expectAsTold(served, reply);
  });
});

describe.concurrent('An example of an answer', () => {
  it.each(answers)('has the members that the API gives: $title', async (answer) => {
    const { served, name, value } = answer;
    const bodies = bodyExamplesOf(served.operation);
    const body = bodies.find((example) => example.name === name) ?? bodies[0];
    const scene = await sceneFor(served, name);

    const reply = await perform(served, scene, body ? { body: body.value } : {});

    expectAsTold(served, reply);
    expect(shapeOf(withoutWarnings(reply), TOLD_MEMBERS)).toEqual(shapeOf(value, TOLD_MEMBERS));
  });
});

const cached = servedOperations
  .filter(({ operation }) => statusesOf(operation).includes(304))
  .map((served) => ({ served, title: served.operation.operationId }));

describe('A document that the caller has', () => {
  it.each(cached)('is not sent again: $title', async ({ served }) => {
    const scene = await sceneFor(served, '');
    const { headers } = await perform(served, scene, {});
    const tag = headers.get('etag') ?? '';

    const again = await perform(served, scene, { headers: { 'If-None-Match': tag } });

    expect([again.status, again.document]).toEqual([304, { text: '' }]);
    expect(again.headers.get('etag')).toBe(tag);
  });
});

const webhooks = bodyExamplesOf(servedDocument.webhooks.event.post).map(({ name, value }) => ({
  name,
  value,
}));

describe.concurrent('The example of a webhook', () => {
  it.each(webhooks)('has the members that an endpoint is sent: $name', async ({ name, value }) => {
    const { call, values } = await sceneOf(
      { operationId: 'testIntegration', example: '', reads: false },
      receiver,
    );

    await call('POST', `/integrations/${values.id}/test`, { body: { eventType: name } });

    const sent = receiver.requests.all
      .map(({ body }) => JSON.parse(body.toString()))
      .find(
        ({ webHook, action, id }) =>
          webHook.endsWith(values.id) && id.includes('/test_') && action === name,
      );
    expect(shapeOf(sent)).toEqual(shapeOf(value));
    expect(sent.data).toEqual((value as { data: object }).data);
  });
});

/** Every object named `examples` in a part of the document, whatever has it. */
const countExamples = (part: unknown): number => {
  if (typeof part !== 'object' || part === null) return 0;
  const own = 'examples' in part ? Object.keys(part.examples as object).length : 0;
  return Object.entries(part).reduce(
    (sum, [name, inner]) => (name === 'examples' ? sum : sum + countExamples(inner)),
    own,
  );
};

describe('The reference', () => {
  it(`has ${servedOperations.length} operations, ${requests.length} examples of bodies, ${answers.length} of answers and ${webhooks.length} of webhooks, and all are tried`, () => {
    const { paths } = servedDocument;
    const tried = new Set([...requests, ...withoutBody].map(({ served }) => served.operation));

    expect(tried.size).toBe(servedOperations.length);
    // Those of problems are components, and in another file.
    expect(requests.length + answers.length).toBe(countExamples(paths));
    expect(webhooks.length).toBe(countExamples(servedDocument.webhooks));
  });
});
