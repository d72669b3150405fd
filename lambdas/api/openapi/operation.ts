import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { DOCUMENTED_TYPES } from '../runtime/request-headers.ts';
import type { RequestBody, Route } from '../runtime/route.ts';
import { parametersOf } from './parameters.ts';
import { copiedExamples } from './responses.ts';

/** A route as an operation of OpenAPI. */
export const operationOf = (
  route: Route,
  responses: ZodOpenApiResponsesObject,
): ZodOpenApiOperationObject => ({
  operationId: route.operationId,
  tags: [route.tag],
  summary: route.summary,
  description: `${route.description}\n\n${ACCESS[route.access]}`,
  ...(route.access === 'public' && { security: [] }),
  requestParams: parametersOf(route),
  ...(route.body && { requestBody: requestBodyOf(route.body) }),
  responses,
});

const ACCESS: Readonly<Record<Route['access'], string>> = {
  public: 'Needs no token.',
  member: 'Needs any token of the account.',
  admin: 'Needs a token of role `admin`.',
};

/** Many generated clients send the first type, and some can encode none but `application/json`. */
const requestBodyOf = ({ schema, isOptional = false, mediaTypes = [], examples }: RequestBody) => ({
  required: !isOptional,
  content: Object.fromEntries(
    [...DOCUMENTED_TYPES, ...mediaTypes].map((mediaType, index) => [
      mediaType,
      { schema, ...(index === 0 && { examples: copiedExamples(examples) }) },
    ]),
  ),
});
