import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import { BASE, type Guides, type GuideTexts } from '../runtime/guide.ts';
import { HOUR_SECONDS, publicText } from '../runtime/public-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { type FrameDeps, htmlPage, madeHtml, PAGE_HEADERS, pathOf, placeOf } from './html-page.ts';
import { publicRoute, textRoute } from './public-route.ts';

export const guidesIn = (read: () => string): Guides => {
  let guides: GuideTexts | undefined;
  return () => {
    guides ??= JSON.parse(read()) as GuideTexts;
    return guides;
  };
};

const guideAt = (event: APIGatewayProxyEvent, deps: FrameDeps): string | undefined => {
  const place = placeOf(event, deps);
  const found = deps.guides().pages.find(({ path }) => path === place.path);
  return found && htmlPage(place, found.title, [madeHtml(found.html.replaceAll(BASE, place.base))]);
};

const missingPage = (event: APIGatewayProxyEvent, deps: FrameDeps): string => {
  const place = placeOf(event, deps);
  const link = `<a href="${place.base}/guides">All guides</a>`;
  return htmlPage(place, 'There is no such page', [madeHtml(`<p>${link}</p>`)]);
};

const guideRoute = (declared: Pick<Route, 'path' | 'operationId' | 'summary' | 'description'>) =>
  textRoute({
    ...declared,
    mediaType: 'text/html',
    maxAgeSeconds: HOUR_SECONDS,
    headers: PAGE_HEADERS,
    answer: 'The page.',
    text: guideAt,
    missing: missingPage,
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

const FILES = [
  { description: 'A file.', schema: z.string(), mediaType: 'text/plain' },
  { description: 'All files.', schema: z.string(), mediaType: 'application/x-tar' },
];

export const getReceiverFile = publicRoute(
  {
    path: '/guides/receivers/{receiver}/{file}',
    operationId: 'getReceiverFile',
    summary: 'Get a file of a receiver',
    description:
      'A file as the page of the receiver names it, with `-` for `/`, or all files, such as `/guides/receivers/express/express.tar`. `Accept` is ignored.',
    documents: FILES,
  },
  (event, { guides }: { readonly guides: Guides }) => {
    const { files } = guides();
    const path = pathOf(event);
    if (!Object.hasOwn(files, path)) return undefined;
    const mediaType = path.endsWith('.tar') ? 'application/x-tar' : 'text/plain; charset=utf-8';
    return publicText(files[path] ?? '', { mediaType, maxAgeSeconds: HOUR_SECONDS });
  },
);
