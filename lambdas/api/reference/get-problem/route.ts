import * as z from 'zod';
import { PROBLEM_PAGES } from '../../openapi/problem-pages.ts';
import { problemResource } from '../../runtime/problem-resource.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../../runtime/route.ts';
import { ACCEPT_OF_EXPLANATIONS } from '../explanation.ts';

const KINDS = PROBLEM_PAGES.map(({ kind }) => kind);

export const problemPageResource = z
  .strictObject({
    id: z.string().meta({ description: 'The `type` of the problem: path of this page.' }),
    kind: z.enum(KINDS).meta({ description: 'The last segment of the path.' }),
    title: z.string().meta({ description: 'The words of the status.' }),
    status: z.int(),
    meaning: z.string().meta({ description: 'When a call is answered with it, in Markdown.' }),
    remedy: z.string().meta({ description: 'What to do about it, in Markdown.' }),
    example: problemResource,
  })
  .meta({ id: 'ProblemPage', description: 'What a kind of problem means.' });

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/problems/{kind}',
  operationId: 'getProblem',
  summary: 'Read what a problem means',
  description: `The \`type\` of a problem leads here: what the problem means, an example, and what to do about it. ${ACCEPT_OF_EXPLANATIONS}`,
  answers: documentAnswers(
    {
      description: 'The problem.',
      schema: problemPageResource,
      mediaType: 'application/json',
      examples: {
        validation: {
          summary: 'A request that is not valid',
          value: PROBLEM_PAGES.find(({ kind }) => kind === 'validation'),
        },
      },
    },
    { description: 'The problem.', schema: z.string(), mediaType: 'text/html' },
  ),
  refusals: ['not-found'],
} as const satisfies Route;
