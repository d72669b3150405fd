import * as z from 'zod';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/docs',
  operationId: 'getDocs',
  summary: 'Read this reference as a page',
  description:
    'The page of the OpenAPI document, to read and to try the API from. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The page.',
    schema: z.string(),
    mediaType: 'text/html',
  }),
  refusals: [],
} as const satisfies Route;
