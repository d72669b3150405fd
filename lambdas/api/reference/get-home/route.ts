import * as z from 'zod';
import { NOT_MODIFIED, type Route } from '../../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/',
  access: 'public',
  operationId: 'getHome',
  tag: 'Reference',
  summary: 'Find the console and this reference',
  description: 'A page with their addresses. `Accept` is not looked at.',
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
