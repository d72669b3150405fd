import { describe, expect, it } from 'vitest';
import {
  createSchemaCheck,
  type MediaTypeObject,
  openApiDocument,
  operationsOf,
} from '../../../support/lambdas/openapi.ts';

const document = openApiDocument();
const faultsOf = createSchemaCheck(document);

const examplesOf = (content: Record<string, MediaTypeObject> = {}) =>
  Object.entries(content).flatMap(([mediaType, { schema, examples = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => ({ mediaType, schema, name, value })),
  );

const withBodies = [
  ...operationsOf(document).map(({ operation }) => operation),
  document.webhooks.event.post,
];

const requests = withBodies.flatMap((operation) =>
  examplesOf(operation.requestBody?.content).map(({ mediaType, name, ...rest }) => ({
    title: `${operation.operationId}, ${name}, as ${mediaType}`,
    ...rest,
  })),
);

const answers = operationsOf(document).flatMap(({ operation }) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    examplesOf(content).map(({ name, ...rest }) => ({
      title: `${operation.operationId}, ${status}, ${name}`,
      ...rest,
    })),
  ),
);

const problems = Object.entries(document.components.responses).flatMap(([response, { content }]) =>
  examplesOf(content).map(({ name, ...rest }) => ({ title: `${response}, ${name}`, ...rest })),
);

const parameters = operationsOf(document).flatMap(({ operation }) =>
  (operation.parameters ?? []).flatMap(({ name, schema }) =>
    'example' in schema
      ? [{ title: `${operation.operationId}, ${name}`, schema, value: schema.example }]
      : [],
  ),
);

describe('an example in the OpenAPI document', () => {
  it.each(requests)(
    'of a request is what the API, or an endpoint, takes: $title',
    ({ schema, value }) => {
      expect(faultsOf(schema, value)).toEqual([]);
    },
  );

  it.each(answers)('of an answer is what the API gives: $title', ({ schema, value }) => {
    expect(faultsOf(schema, value)).toEqual([]);
  });

  it.each(problems)('of a problem is one: $title', ({ schema, value }) => {
    expect(faultsOf(schema, value)).toEqual([]);
  });

  it.each(parameters)('of a parameter is one: $title', ({ schema, value }) => {
    expect(faultsOf(schema, value)).toEqual([]);
  });

  it('is there for every body and every document, of a request and an answer', () => {
    const without = operationsOf(document).flatMap(({ operation }) =>
      [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        Object.entries(part?.content ?? {})
          .filter(([mediaType]) => mediaType.includes('json'))
          .filter(([, { examples }]) => examples === undefined)
          .map(() => operation.operationId),
      ),
    );
    // It is itself the document.
    expect(without).toEqual(['getOpenapi']);
  });

  it('that is not of its schema is found', () => {
    const { schema } = document.components.responses.NotFound?.content?.[
      'application/problem+json'
    ] ?? { schema: {} };
    expect(faultsOf(schema, { type: 'about:blank', colour: 'red' })).not.toEqual([]);
  });
});
