import type { Logger } from '../../../runtime/reporting.ts';
import { PROBLEM_PAGES } from '../../openapi/problem-pages.ts';
import { publicEndpoint } from '../../runtime/public-endpoint.ts';
import { type Explanation, explained } from '../explanation.ts';
import { entryList, paragraph } from '../html-page.ts';
import { PROBLEMS, route } from './route.ts';

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(route, deps.logger, (event) => explained(EXPLANATION, event));

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
