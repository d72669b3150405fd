import * as z from 'zod';
import { NOT_MODIFIED, type Route } from '../../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/docs',
  access: 'public',
  operationId: 'getDocs',
  tag: 'Reference',
  summary: 'Read this reference as a page',
  description:
    'The page of the OpenAPI document, to read and to try the API from. `Accept` is not looked at.',
  requestHeaders: ['If-None-Match'],
  answers: [
    {
      status: 200,
      description: 'The page.',
      schema: z.string(),
      mediaType: 'text/html',
      headers: ['ETag', 'Cache-Control'],
    },
    NOT_MODIFIED,
  ],
  refusals: [],
} as const satisfies Route;
