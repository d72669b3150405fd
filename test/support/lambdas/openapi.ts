import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createOpenApiDocument } from '../../../lambdas/api/openapi/document.ts';
import { ROUTES } from '../../../lambdas/api/openapi/routes.ts';

type JsonObject = Record<string, unknown>;

export interface MediaTypeObject {
  readonly schema: object;
  readonly examples?: Record<string, { summary: string; value: unknown }>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: JsonObject;
  readonly content?: Record<string, MediaTypeObject>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: { in: string; name: string; required?: boolean; schema: object }[];
  readonly requestBody?: { required: boolean; content: Record<string, MediaTypeObject> };
  readonly responses: Record<string, ResponseObject>;
  readonly security?: object[];
}

/** The parts of the API's document that tests ask for; without references, but in schemas. */
export interface OpenApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: { readonly url: string }[];
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly webhooks: { readonly event: { readonly post: OperationObject } };
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses: Record<string, ResponseObject>;
  };
}

/** As a client reads it. */
export const openApiDocument = (): OpenApiDocument =>
  JSON.parse(JSON.stringify(createOpenApiDocument(ROUTES, { version: '1.2.3' })));

export const responseOf = (
  document: OpenApiDocument,
  { responses }: OperationObject,
  status: number,
): ResponseObject | undefined => {
  const response = responses[`${status}`] as (ResponseObject & { $ref?: string }) | undefined;
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : document.components.responses[name];
};

export const operationsOf = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );

/** Checks values against schemas of the document: what is wrong with them, empty when nothing is. */
const createSchemaCheck = (document: OpenApiDocument) => {
  // Strict mode refuses `example`, which OpenAPI adds to JSON Schema.
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...closed(document) });
  const compiled = new Map<object, ValidateFunction>();
  return (schema: object, value: unknown): string[] => {
    const validate = compiled.get(schema) ?? ajv.compile(withOwnRefs(closed(schema)));
    compiled.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
};

/** Answers of this version have no members but those that the document tells. */
const closed = <T extends object>(schemas: T): T =>
  JSON.parse(JSON.stringify(schemas), (_name, part) =>
    part?.type === 'object' && 'properties' in part
      ? { additionalProperties: false, ...part }
      : part,
  );

const withOwnRefs = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'));

interface ReceivedAnswer {
  readonly method: string;
  /** Without the stage's, and without a query. */
  readonly path: string;
  readonly status: number;
  /** The Content-Type; undefined for an answer without a body. */
  readonly mediaType: string | undefined;
  /** As parsed, where it is JSON. */
  readonly body: unknown;
}

/**
 * Checks answers against what the document tells of them: what is wrong, empty when nothing is.
 * Throws for a call of a route that there is not.
 */
export const createAnswerCheck = (document: OpenApiDocument) => {
  const faultsOf = createSchemaCheck(document);
  const operationFor = createOperationSearch(document);
  return ({ method, path, status, mediaType, body }: ReceivedAnswer): string[] => {
    const response = responseOf(document, operationFor(method, path), status);
    if (response === undefined) return [`The status ${status} is not told.`];
    const told = Object.keys(response.content ?? {});
    const content = response.content?.[mediaType?.split(';')[0] ?? ''];
    if (content !== undefined) return faultsOf(content.schema, body);
    return told.length === 0 ? [] : [`It is ${mediaType}, not ${told.join(' or ')}.`];
  };
};

const createOperationSearch = (document: OpenApiDocument) => {
  const operations = operationsOf(document)
    .map(({ path, ...rest }) => ({ ...rest, path, pattern: patternOf(path) }))
    // The more literal path first, as the gateway chooses.
    .sort((left, right) => literalness(left.path).localeCompare(literalness(right.path)));
  return (method: string, path: string): OperationObject => {
    const found = operations.find(
      (candidate) => candidate.method === method.toLowerCase() && candidate.pattern.test(path),
    );
    if (found === undefined) throw new Error(`There is no ${method} ${path}.`);
    return found.operation;
  };
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);

const literalness = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');
