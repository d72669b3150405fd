import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { DOCUMENTED_TYPES } from '../runtime/request-headers.ts';
import { needsToken, type RequestBody, type Route } from '../runtime/route.ts';
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
  ...(!needsToken(route) && { security: route.access === 'platform' ? [{ platform: [] }] : [] }),
  requestParams: parametersOf(route),
  ...(route.body && { requestBody: requestBodyOf(route.body) }),
  responses,
});

const ACCESS: Readonly<Record<Route['access'], string>> = {
  public: 'Needs no token.',
  code: 'Needs no token. Stages without the option `consoleLinkRoles` lack this route.',
  platform:
    'Needs the signature (SigV4) of a role that the option `consoleLinkRoles` of the stage names; the answer to other requests is `404`, or `401` for another role. Stages without the option lack this route.',
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
