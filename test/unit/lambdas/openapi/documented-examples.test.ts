import { describe, expect, it } from 'vitest';
import recordings from '../../../../lambdas/api/openapi/recorded-examples.json' with {
  type: 'json',
};
import {
  answerExamplesOf,
  bodyExamplesOf,
  DOCUMENT,
  type DocumentedOperation,
  headersOf,
  OPERATIONS,
  operationOf,
  parameterExamplesOf,
  shapeOf,
  statusesOf,
  successOf,
} from '../../../support/lambdas/documented-operations.ts';
import { perform, sceneOf, usualScene } from '../../../support/lambdas/memory-scenes.ts';
import { createAnswerCheck } from '../../../support/lambdas/openapi.ts';
import { recordExamples } from '../../../support/lambdas/record-examples.ts';
import { filledPath } from '../../../support/lambdas/route-requests.ts';

const faultsOf = createAnswerCheck(DOCUMENT);

type Reply = Awaited<ReturnType<typeof perform>>;

/** Whether the host names of the examples resolve, and are warned of, no example shows. */
const withoutWarnings = ({ document: { warnings: _, ...document } }: Reply) => document;

const expectAsDocumented = ({ route, operation }: DocumentedOperation, reply: Reply): void => {
  const { status, headers, document } = reply;
  expect(document).not.toHaveProperty('errors');
  expect(status).toBe(successOf(operation));
  const names = headersOf(operation, status).map((name) => name.toLowerCase());
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(names));
  const examples = answerExamplesOf(operation, status);
  if (examples.length === 0) return;
  const path = pathOf({ route, operation });
  const mediaType = headers['content-type'];
  expect(faultsOf({ method: route.method, path, status, mediaType, body: document })).toEqual([]);
  expect(examples.map(({ value }) => shapeOf(value))).toContainEqual(
    shapeOf(withoutWarnings(reply)),
  );
};

const pathOf = ({ route, operation }: DocumentedOperation) =>
  filledPath(route.path, { ...PATH_VALUES, ...parameterExamplesOf(operation, 'path') });

const PATH_VALUES = { id: '1', event: '1', account_name: '1', account: '1', user: '1', token: '1' };

const titled = (documented: DocumentedOperation, name = '') => ({
  documented,
  title: `${documented.operation.operationId}${name && `, ${name}`}`,
});

const requests = OPERATIONS.flatMap((documented) =>
  bodyExamplesOf(documented.operation).map((example) => ({
    ...titled(documented, `${example.name}, as ${example.mediaType}`),
    example,
  })),
);

const withoutBody = OPERATIONS.filter(
  ({ operation }) => operation.requestBody?.required !== true,
).map((documented) => titled(documented));

const withQuery = OPERATIONS.filter(
  ({ operation }) => Object.keys(parameterExamplesOf(operation, 'query')).length > 0,
).map((documented) => titled(documented));

const answers = OPERATIONS.flatMap((documented) =>
  answerExamplesOf(documented.operation, successOf(documented.operation)).map((example) => ({
    ...titled(documented, example.name),
    example,
  })),
);

const cached = OPERATIONS.filter(({ operation }) => statusesOf(operation).includes(304)).map(
  (documented) => titled(documented),
);

describe('An example of a request', () => {
  it.each(requests)('is accepted and answered as documented: $title', async (given) => {
    const { documented, example } = given;
    const scene = await sceneOf(documented.operation.operationId, example.name);

    const reply = await perform(documented, scene, {
      body: example.value,
      headers: { 'content-type': example.mediaType },
    });

    expectAsDocumented(documented, reply);
  });

  it.each(withoutBody)('needs no body where none is documented: $title', async ({ documented }) => {
    const { operation } = documented;
    const [first] = answerExamplesOf(operation, successOf(operation));
    const scene = await sceneOf(operation.operationId, first?.name ?? '');

    expectAsDocumented(documented, await perform(documented, scene));
  });

  it.each(withQuery)('may have every parameter of its examples: $title', async ({ documented }) => {
    const { operation } = documented;
    const scene = await sceneOf(operation.operationId, 'parameters');
    const query = `${new URLSearchParams(parameterExamplesOf(operation, 'query'))}`;

    expectAsDocumented(documented, await perform(documented, scene, { query }));
  });
});

describe('An example of an answer', () => {
  it('is what the API answers in its scene, as `npm run docs` records it', async () => {
    expect(await recordExamples()).toEqual(recordings);
  });

  it.each(answers)('is as documented: $title', async ({ documented, example }) => {
    const { method } = documented.route;
    const { mediaType, value: body } = example;
    const status = successOf(documented.operation);

    expect(faultsOf({ method, path: pathOf(documented), status, mediaType, body })).toEqual([]);
  });
});

describe('A document that the caller has', () => {
  it.each(cached)('is not sent again: $title', async ({ documented }) => {
    const scene = await usualScene();
    const { headers } = await perform(documented, scene);

    const again = await perform(documented, scene, {
      headers: { 'If-None-Match': headers.etag ?? '' },
    });

    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.etag).toBe(headers.etag);
  });
});

const webhooks = bodyExamplesOf(DOCUMENT.webhooks.event.post);

describe('The example of a webhook', () => {
  it.each(webhooks)('has the members that an endpoint is sent: $name', async ({ name, value }) => {
    const { document } = await perform(operationOf('testIntegration'), await usualScene(), {
      body: { eventType: name },
    });

    const sent = JSON.parse((document.request as { body: string }).body);
    expect(shapeOf(sent)).toEqual(shapeOf(value));
    expect(sent.data).toEqual((value as { data: object }).data);
  });
});

/** Counts the examples in each object named `examples`, at any depth. */
/** Those of parameters are for generators of requests. */
const countExamples = (part: unknown): number => {
  if (typeof part !== 'object' || part === null) return 0;
  const own = 'examples' in part ? Object.keys(part.examples as object).length : 0;
  return Object.entries(part).reduce(
    (sum, [name, inner]) =>
      /^(examples|parameters)$/.test(name) ? sum : sum + countExamples(inner),
    own,
  );
};

describe('The reference', () => {
  it('has no operation and no example that is not tried here', () => {
    const tried = new Set([...requests, ...withoutBody].map(({ documented }) => documented));

    expect(tried.size).toBe(OPERATIONS.length);
    // The examples of problems are components: documented-problems.test.ts tries them.
    expect(requests.length + answers.length).toBe(countExamples(DOCUMENT.paths));
    expect(webhooks.length).toBe(countExamples(DOCUMENT.webhooks));
  });
});
