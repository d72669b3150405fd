import type { Logger } from '../../../runtime/reporting.ts';
import { PROBLEM_PAGES, type ProblemPage } from '../../openapi/problem-pages.ts';
import { belowBasePath } from '../../runtime/base-path.ts';
import { pathParameter } from '../../runtime/path-parameter.ts';
import { publicEndpoint } from '../../runtime/public-endpoint.ts';
import { type Explanation, explained } from '../explanation.ts';
import { jsonSample, link, paragraph, section } from '../html-page.ts';
import { route } from './route.ts';

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(route, deps.logger, (event) => {
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
