import { ROUTES } from '../../../lambdas/api/openapi/routes.ts';
import type { Route } from '../../../lambdas/api/runtime/route.ts';
import {
  type MediaTypeObject,
  type OperationObject,
  openApiDocument,
  operationsOf,
  responseOf,
} from './openapi.ts';

/** An operation of the OpenAPI document, and the route that it describes. */
export interface DocumentedOperation {
  readonly route: Route;
  readonly operation: OperationObject;
}

interface NamedExample {
  readonly name: string;
  readonly mediaType: string;
  readonly value: unknown;
}

export const DOCUMENT = openApiDocument();

const routesById = new Map(ROUTES.map((route) => [route.operationId, route]));

export const OPERATIONS: readonly DocumentedOperation[] = operationsOf(DOCUMENT).map(
  ({ operation }) => {
    const route = routesById.get(operation.operationId);
    if (route === undefined) throw new Error(`There is no route ${operation.operationId}.`);
    return { route, operation };
  },
);

export const operationOf = (operationId: string): DocumentedOperation => {
  const found = OPERATIONS.find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`There is no operation ${operationId}.`);
  return found;
};

const examplesIn = (content: Record<string, MediaTypeObject> = {}): NamedExample[] =>
  Object.entries(content).flatMap(([mediaType, { examples = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => ({ name, mediaType, value })),
  );

/** The examples of a request body, in each of its media types. */
export const bodyExamplesOf = ({ requestBody }: OperationObject): NamedExample[] =>
  examplesIn(requestBody?.content);

export const answerExamplesOf = (operation: OperationObject, status: number): NamedExample[] =>
  examplesIn(responseOf(DOCUMENT, operation, status)?.content);

export const statusesOf = ({ responses }: OperationObject): number[] =>
  Object.keys(responses).map(Number);

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

/** Names of the headers that the document lists for answers of a status. */
export const headersOf = (operation: OperationObject, status: number): string[] =>
  Object.keys(responseOf(DOCUMENT, operation, status)?.headers ?? {});

/**
 * Which members a document has, and of which kind, at every depth. Of a list, what kinds of members
 * it has, in no order: an example shows one of each, not how many.
 */
export const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const shapes = value.map((member) => JSON.stringify(shapeOf(member)));
    return [...new Set(shapes)].toSorted().map((shape) => JSON.parse(shape));
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).map(([name, member]) => [name, shapeOf(member)] as const);
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};
