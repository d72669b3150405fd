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
export const createSchemaCheck = (document: OpenApiDocument) => {
  // Strict mode refuses `example`, which OpenAPI adds to JSON Schema.
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...document });
  const compiled = new Map<object, ValidateFunction>();
  return (schema: object, value: unknown): string[] => {
    const validate = compiled.get(schema) ?? ajv.compile(withOwnRefs(schema));
    compiled.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
};

const withOwnRefs = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'));
