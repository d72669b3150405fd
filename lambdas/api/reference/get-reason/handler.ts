import type { Logger } from '../../../runtime/reporting.ts';
import { pathParameter } from '../../runtime/path-parameter.ts';
import { publicEndpoint } from '../../runtime/public-endpoint.ts';
import { type Explanation, explained } from '../explanation.ts';
import { entryList, jsonSample, link, paragraph, section } from '../html-page.ts';
import { type ReasonPage, reasonPageOf } from './reason-pages.ts';
import { route } from './route.ts';

export const createHandler = (deps: { logger: Logger }) =>
  publicEndpoint(route, deps.logger, (event) => {
    const page = reasonPageOf(pathParameter(event, 'reason') ?? '');
    return page && explained(explanationOf(page), event);
  });

const explanationOf = (page: ReasonPage): Explanation => ({
  title: page.title,
  document: { ...page },
  html: (base) => [
    section('What it means', paragraph(page.meaning)),
    section('What to do', paragraph(page.remedy), ...codesOf(page)),
    section('Example', jsonSample(page.example)),
    section('More', link(`${base}/reasons`, 'All reasons')),
  ],
});

/** The console leads to a code by its name. */
const codesOf = ({ codes }: ReasonPage) =>
  codes.length === 0
    ? []
    : [entryList(codes.map(({ code, remedy }) => ({ id: code, name: code, description: remedy })))];
