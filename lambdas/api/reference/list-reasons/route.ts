import * as z from 'zod';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';
import { ACCEPT_OF_EXPLANATIONS } from '../explanation.ts';
import { REASON_PAGES } from '../get-reason/reason-pages.ts';
import { reasonPageResource } from '../get-reason/route.ts';

const reasonPages = z.strictObject({ reasons: z.array(reasonPageResource) }).meta({
  id: 'ReasonPages',
  description: 'Every reason, then the usual status codes.',
});

export const REASON_LIST = { reasons: REASON_PAGES };

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
