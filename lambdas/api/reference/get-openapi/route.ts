import * as z from 'zod';
import { NOT_MODIFIED, type Route } from '../../runtime/route.ts';

const openApiDocument = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' });

export const route = {
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  operationId: 'getOpenapi',
  tag: 'Reference',
  summary: 'Read this reference as an OpenAPI document',
  description:
    'OpenAPI 3.1, made of the schemas that requests are checked by. `Accept` is not looked at.',
  requestHeaders: ['If-None-Match'],
  answers: [
    {
      status: 200,
      description: 'The document.',
      schema: openApiDocument,
      mediaType: 'application/json',
      headers: ['ETag', 'Cache-Control'],
    },
    NOT_MODIFIED,
  ],
  refusals: [],
} as const satisfies Route;
