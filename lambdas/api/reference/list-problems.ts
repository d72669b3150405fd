import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { PROBLEM_PAGES } from '../openapi/problem-pages.ts';
import { publicEndpoint } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import { ACCEPT_OF_EXPLANATIONS, type Explanation, explained } from './explanation.ts';
import { problemPageResource } from './get-problem.ts';
import { entryList, paragraph } from './html-page.ts';

const problemPages = z
  .strictObject({ problems: z.array(problemPageResource) })
  .meta({ id: 'ProblemPages', description: 'Every kind of problem, by status.' });

const PROBLEMS = { problems: PROBLEM_PAGES };

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/problems',
  operationId: 'listProblems',
  summary: 'List the problems',
  description: `Every problem that a call may be answered with. ${ACCEPT_OF_EXPLANATIONS}`,
  answers: documentAnswers(
    {
      description: 'The problems.',
      schema: problemPages,
      mediaType: 'application/json',
      examples: { all: { summary: 'All of them', value: PROBLEMS } },
    },
    { description: 'The problems.', schema: z.string(), mediaType: 'text/html' },
  ),
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(deps.logger, (event) => explained(EXPLANATION, event));

const EXPLANATION: Explanation = {
  title: 'Problems',
  document: PROBLEMS,
  html: (base) => [
    paragraph('Why a call of the API was refused: the `type` of a problem leads to its page.'),
    entryList(
      PROBLEM_PAGES.map(({ id, status, kind, meaning }) => ({
        href: base + id,
        name: `${status} ${kind}`,
        description: meaning,
      })),
    ),
  ],
};
