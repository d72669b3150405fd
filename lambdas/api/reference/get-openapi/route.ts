import * as z from 'zod';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';

const openApiDocument = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' });

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/openapi.json',
  operationId: 'getOpenapi',
  summary: 'Read this reference as an OpenAPI document',
  description:
    'OpenAPI 3.1, made of the schemas that requests are checked by. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The document.',
    schema: openApiDocument,
    mediaType: 'application/json',
  }),
  refusals: [],
} as const satisfies Route;
