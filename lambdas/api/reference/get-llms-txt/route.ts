import * as z from 'zod';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/llms.txt',
  operationId: 'getLlmsTxt',
  summary: 'Find the documents for language models',
  description:
    'As [llms.txt](https://llmstxt.org) has it: what to know about webhooks, and where the documents are. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The document, in Markdown.',
    schema: z.string(),
    mediaType: 'text/plain',
  }),
  refusals: [],
} as const satisfies Route;
