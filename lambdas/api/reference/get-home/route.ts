import * as z from 'zod';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/',
  operationId: 'getHome',
  summary: 'Find the console and this reference',
  description: 'A page with their addresses. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The page.',
    schema: z.string(),
    mediaType: 'text/html',
  }),
  refusals: [],
} as const satisfies Route;
