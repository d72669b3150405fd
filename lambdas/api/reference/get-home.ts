import * as z from 'zod';
import type { Logger } from '../../runtime/reporting.ts';
import { publicEndpoint } from '../runtime/public-endpoint.ts';
import { documentAnswers, PUBLIC_DOCUMENT, type Route } from '../runtime/route.ts';
import { homePage } from './home-page.ts';

export const route = {
  ...PUBLIC_DOCUMENT,
  path: '/',
  operationId: 'getHome',
  summary: 'Find the console and this reference',
  description: 'A page with their addresses. `Accept` is not looked at.',
  answers: documentAnswers({
    description: 'The page.',
    schema: z.string(),
    mediaType: 'text/html',
  }),
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { console: URL | undefined; logger: Logger }) =>
  publicEndpoint(deps.logger, ({ requestContext: { path } }) =>
    homePage({ folder: folderAt(path), console: deps.console }),
  );

/** Browsers resolve relative addresses by the slash at the end of a path, such as `/prod/`. */
const folderAt = (path: string): string =>
  path.endsWith('/') ? '' : `${encodeURIComponent(path.split('/').at(-1) ?? '')}/`;
