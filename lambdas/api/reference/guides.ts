import type { APIGatewayProxyEvent } from 'aws-lambda';
import { basePath } from '../runtime/base-path.ts';
import { BASE, type Guide } from '../runtime/guide.ts';
import { HOUR_SECONDS } from '../runtime/public-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { htmlPage, madeHtml, PAGE_HEADERS } from './html-page.ts';
import { textRoute } from './public-route.ts';

/** Reads the guides at the first call. */
export type Guides = () => readonly Guide[];

export const guidesIn = (read: () => string): Guides => {
  let guides: readonly Guide[] | undefined;
  return () => {
    guides ??= JSON.parse(read());
    return guides ?? [];
  };
};

const guideAt = (event: APIGatewayProxyEvent, guides: Guides): string | undefined => {
  const base = basePath(event);
  const path = event.requestContext.path.slice(base.length).replace(/\/$/, '');
  const found = guides().find((guide) => guide.path === path);
  return found && htmlPage(found.title, [madeHtml(found.html.replaceAll(BASE, base))]);
};

const guideRoute = (declared: Pick<Route, 'path' | 'operationId' | 'summary' | 'description'>) =>
  textRoute({
    ...declared,
    mediaType: 'text/html',
    maxAgeSeconds: HOUR_SECONDS,
    headers: PAGE_HEADERS,
    answer: 'The page.',
    text: (event, deps: { readonly guides: Guides }) => guideAt(event, deps.guides),
  });

export const listGuides = guideRoute({
  path: '/guides',
  operationId: 'listGuides',
  summary: 'List the guides',
  description: 'A page with links to every guide.',
});

export const getGuide = guideRoute({
  path: '/guides/{page}',
  operationId: 'getGuide',
  summary: 'Get a guide',
  description: 'A page about one task, such as `/guides/recover`.',
});

export const listReceivers = guideRoute({
  path: '/guides/receivers',
  operationId: 'listReceivers',
  summary: 'List the receivers to copy',
  description: 'A page with links to a program for each framework.',
});

export const getReceiver = guideRoute({
  path: '/guides/receivers/{receiver}',
  operationId: 'getReceiver',
  summary: 'Get a receiver to copy',
  description: 'A whole program that receives webhooks, such as `/guides/receivers/express`.',
});
