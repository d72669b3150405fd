import * as z from 'zod';
import { PROBLEM_PAGES } from '../../openapi/problem-pages.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';
import { ACCEPT_OF_EXPLANATIONS } from '../explanation.ts';
import { problemPageResource } from '../get-problem/route.ts';

const problemPages = z
  .strictObject({ problems: z.array(problemPageResource) })
  .meta({ id: 'ProblemPages', description: 'Every kind of problem, by status.' });

export const PROBLEMS = { problems: PROBLEM_PAGES };

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
