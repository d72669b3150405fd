import * as z from 'zod';
import { belowBasePath } from '../runtime/base-path.ts';
import { pathParameter } from '../runtime/path-parameter.ts';
import { PROBLEM_PAGES, type ProblemPage } from '../runtime/problem-pages.ts';
import { problemResource } from '../runtime/problem-resource.ts';
import { type Explanation, explanationRoute } from './explanation.ts';
import { entryList, jsonSample, paragraph, section } from './html-page.ts';

const KINDS = PROBLEM_PAGES.map(({ kind }) => kind);

const problemPageResource = z
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

const problemPages = z
  .strictObject({ problems: z.array(problemPageResource) })
  .meta({ id: 'ProblemPages', description: 'Every kind of problem, by status.' });

const PROBLEMS = { problems: PROBLEM_PAGES };

const LIST: Explanation = {
  title: 'Problems',
  document: PROBLEMS,
  html: (base) => [
    paragraph('Why a call of the API is refused. The `type` of a problem is the path of its page.'),
    entryList(
      PROBLEM_PAGES.map(({ id, status, kind, meaning }) => ({
        href: base + id,
        name: `${status} ${kind}`,
        description: meaning,
      })),
    ),
  ],
};

export const listProblems = explanationRoute({
  path: '/problems',
  operationId: 'listProblems',
  summary: 'List the problems',
  description: 'Every problem that a call can be answered with.',
  answer: 'The problems.',
  schema: problemPages,
  examples: { all: { summary: 'All of them', value: PROBLEMS } },
  find: () => LIST,
});

const explanationOf = (page: ProblemPage): Explanation => ({
  title: `${page.status} ${page.title}: ${page.kind}`,
  document: { ...page },
  html: (base) => [
    section('What it means', paragraph(page.meaning)),
    section('What to do', paragraph(page.remedy)),
    section('Example', jsonSample(belowBasePath(page.example, base))),
  ],
});

export const getProblem = explanationRoute({
  path: '/problems/{kind}',
  operationId: 'getProblem',
  summary: 'Get the meaning of a problem',
  description:
    'What the problem means, an example, and what to do about it. The `type` of a problem is this path.',
  answer: 'The problem.',
  schema: problemPageResource,
  examples: {
    validation: {
      summary: 'A request that is not valid',
      value: PROBLEM_PAGES.find(({ kind }) => kind === 'validation'),
    },
  },
  find: (event) => {
    const kind = pathParameter(event, 'kind');
    const page = PROBLEM_PAGES.find((candidate) => candidate.kind === kind);
    return page && explanationOf(page);
  },
});
