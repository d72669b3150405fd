import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { publicEndpoint } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import { ACCEPT_OF_EXPLANATIONS, type Explanation, explained } from './explanation.ts';
import { reasonPageResource } from './get-reason.ts';
import { entryList, paragraph } from './html-page.ts';
import { REASON_PAGES } from './reason-pages.ts';

const reasonPages = z.strictObject({ reasons: z.array(reasonPageResource) }).meta({
  id: 'ReasonPages',
  description: 'Every reason, then the usual status codes.',
});

const REASON_LIST = { reasons: REASON_PAGES };

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/reasons',
  operationId: 'listReasons',
  summary: 'List the results of attempts',
  description: `Every \`reason\` of an attempt without an answer, and the usual status codes of answers. ${ACCEPT_OF_EXPLANATIONS}`,
  answers: documentAnswers(
    {
      description: 'The reasons.',
      schema: reasonPages,
      mediaType: 'application/json',
      examples: { all: { summary: 'All of them', value: REASON_LIST } },
    },
    { description: 'The reasons.', schema: z.string(), mediaType: 'text/html' },
  ),
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(deps.logger, (event) => explained(EXPLANATION, event));

const EXPLANATION: Explanation = {
  title: 'Results of attempts',
  document: REASON_LIST,
  html: (base) => [
    paragraph(
      'Why a delivery was not confirmed: every `reason`, then the usual status codes. Any other status code has a page at `/reasons/status-` and its number.',
    ),
    entryList(
      REASON_PAGES.map(({ id, title, remedy }) => ({
        href: base + id,
        name: title,
        description: remedy,
      })),
    ),
  ],
};
