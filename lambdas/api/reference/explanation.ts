import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import { basePath, belowBasePath } from '../runtime/base-path.ts';
import { HOUR_SECONDS, type PublicText, publicText } from '../runtime/public-endpoint.ts';
import { prefersHtml } from '../runtime/request-headers.ts';
import type { Answer, Route } from '../runtime/route.ts';
import { type FrameDeps, type Html, htmlPage, PAGE_HEADERS, placeOf } from './html-page.ts';
import { publicRoute } from './public-route.ts';

/** A document that people read as HTML, and programs as JSON. */
export interface Explanation {
  readonly title: string;
  /** `base` comes before the paths of links. */
  readonly html: (base: string) => readonly Html[];
  /** Its links are paths of the API. */
  readonly document: Readonly<Record<string, unknown>>;
}

const VARY = { Vary: 'Accept, Accept-Encoding' };

/** The form that `Accept` prefers: HTML for browsers, JSON for all others. */
const explained = (
  { title, html, document }: Explanation,
  event: APIGatewayProxyEvent,
  deps: FrameDeps,
): PublicText => {
  const base = basePath(event);
  if (prefersHtml(event)) {
    return publicText(htmlPage(placeOf(event, deps), title, html(base)), {
      mediaType: 'text/html; charset=utf-8',
      maxAgeSeconds: HOUR_SECONDS,
      headers: { ...PAGE_HEADERS, ...VARY },
    });
  }
  return publicText(JSON.stringify(belowBasePath(document, base)), {
    mediaType: 'application/json',
    maxAgeSeconds: HOUR_SECONDS,
    headers: VARY,
  });
};

const ACCEPT_OF_EXPLANATIONS =
  'HTML for browsers, JSON for all others: for `text/html` before `application/json` in `Accept`, the answer is a page.';

interface Explained
  extends Pick<Route, 'path' | 'operationId' | 'summary' | 'description'>,
    Pick<Answer, 'examples'> {
  /** What the answer is, in words. */
  readonly answer: string;
  readonly schema: z.ZodType;
  /** By the request; undefined when there is none at its address. */
  readonly find: (event: APIGatewayProxyEvent) => Explanation | undefined;
}

/** The route of explanations. */
export const explanationRoute = ({ answer, schema, examples, find, ...declared }: Explained) =>
  publicRoute(
    {
      ...declared,
      description: `${declared.description} ${ACCEPT_OF_EXPLANATIONS}`,
      documents: [
        {
          description: answer,
          schema,
          mediaType: 'application/json',
          ...(examples && { examples }),
        },
        { description: answer, schema: z.string(), mediaType: 'text/html' },
      ],
    },
    (event, deps: FrameDeps) => {
      const found = find(event);
      return found && explained(found, event, deps);
    },
  );
