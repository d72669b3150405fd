import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { basePath } from '../runtime/base-path.ts';
import { HOUR_SECONDS, publicEndpoint, publicText } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import { llmsTxt } from './llms-txt.ts';

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

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(deps.logger, (event) =>
    publicText(llmsTxt(basePath(event)), {
      mediaType: 'text/plain; charset=utf-8',
      maxAgeSeconds: HOUR_SECONDS,
    }),
  );
