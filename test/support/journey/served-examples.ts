import { inject } from 'vitest';
import {
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  operationsOf,
  responseOf,
} from '../lambdas/openapi.ts';
import { createBasePath } from './base-path.ts';

/** As anyone reads it of the service under test. */
export const servedDocument = (await (
  await fetch(`${inject('service').api}/openapi.json`)
).json()) as OpenApiDocument;

export interface ServedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
}

export const servedOperations: readonly ServedOperation[] = operationsOf(servedDocument);

interface NamedExample {
  readonly name: string;
  readonly mediaType: string;
  readonly value: unknown;
}

const examplesIn = (content: Record<string, MediaTypeObject> = {}): NamedExample[] =>
  Object.entries(content).flatMap(([mediaType, { examples = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => ({ name, mediaType, value })),
  );

/** Of the bodies that an operation reads: each in each media type. */
export const bodyExamplesOf = ({ requestBody }: OperationObject): NamedExample[] =>
  examplesIn(requestBody?.content);

const { documentAtRoot } = createBasePath(inject('service').api);

/** Of its answers of a status, as journeys are given these; none where it has no document. */
export const answerExamplesOf = (operation: OperationObject, status: number): NamedExample[] =>
  examplesIn(responseOf(servedDocument, operation, status)?.content).map((example) => ({
    ...example,
    value:
      typeof example.value === 'object' && example.value !== null
        ? documentAtRoot({ ...example.value })
        : example.value,
  }));

export const statusesOf = ({ responses }: OperationObject): number[] =>
  Object.keys(responses).map(Number);

/** The one success that is not told to a caller who has the document already. */
export const successOf = (operation: OperationObject): number =>
  statusesOf(operation).find((status) => status < 300) ?? 0;

export const parameterExamplesOf = (
  { parameters = [] }: OperationObject,
  place: 'path' | 'query',
): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === place)
      .flatMap(({ name, schema }) =>
        'example' in schema ? [[name, String(schema.example)] as const] : [],
      ),
  );

/** The headers that an answer of a status has, as told. */
export const headersToldOf = (operation: OperationObject, status: number): string[] =>
  Object.keys(responseOf(servedDocument, operation, status)?.headers ?? {});

/** `urn:service:problem:…` of each problem that an operation may be answered with, and its example. */
export interface ProblemExample {
  readonly type: string;
  readonly title: string;
  readonly errors?: readonly object[];
}

export const problemsOf = (operation: OperationObject) =>
  statusesOf(operation)
    .filter((status) => status >= 400)
    .flatMap((status) =>
      answerExamplesOf(operation, status).map(({ value }) => ({
        status,
        example: value as ProblemExample,
      })),
    );
