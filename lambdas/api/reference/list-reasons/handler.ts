import type { Logger } from '../../../runtime/reporting.ts';
import { publicEndpoint } from '../../runtime/public-endpoint.ts';
import { type Explanation, explained } from '../explanation.ts';
import { REASON_PAGES } from '../get-reason/reason-pages.ts';
import { entryList, paragraph } from '../html-page.ts';
import { REASON_LIST, route } from './route.ts';

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(route, deps.logger, (event) => explained(EXPLANATION, event));

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
