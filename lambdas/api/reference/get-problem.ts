import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { PROBLEM_PAGES, type ProblemPage } from '../openapi/problem-pages.ts';
import { belowBasePath } from '../runtime/base-path.ts';
import { pathParameter } from '../runtime/path-parameter.ts';
import { problemResource } from '../runtime/problem-resource.ts';
import { publicEndpoint } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import { ACCEPT_OF_EXPLANATIONS, type Explanation, explained } from './explanation.ts';
import { jsonSample, link, paragraph, section } from './html-page.ts';

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

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(deps.logger, (event) => {
    const kind = pathParameter(event, 'kind');
    const page = PROBLEM_PAGES.find((candidate) => candidate.kind === kind);
    return page && explained(explanationOf(page), event);
  });

const explanationOf = (page: ProblemPage): Explanation => ({
  title: `${page.status} ${page.title}: ${page.kind}`,
  document: { ...page },
  html: (base) => [
    section('What it means', paragraph(page.meaning)),
    section('What to do', paragraph(page.remedy)),
    section('Example', jsonSample(belowBasePath(page.example, base))),
    section('More', link(`${base}/problems`, 'All problems')),
  ],
});
