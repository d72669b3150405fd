import type { APIGatewayProxyEvent } from 'aws-lambda';
import { basePath, belowBasePath } from '../runtime/base-path.ts';
import { HOUR_SECONDS, type PublicText, publicText } from '../runtime/public-endpoint.ts';
import { prefersHtml } from '../runtime/request-headers.ts';
import { type Html, htmlPage } from './html-page.ts';

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
export const explained = (
  { title, html, document }: Explanation,
  event: APIGatewayProxyEvent,
): PublicText => {
  const base = basePath(event);
  if (prefersHtml(event)) return htmlPage(title, html(base), VARY);
  return publicText(JSON.stringify(belowBasePath(document, base)), {
    mediaType: 'application/json',
    maxAgeSeconds: HOUR_SECONDS,
    headers: VARY,
  });
};

export const ACCEPT_OF_EXPLANATIONS =
  'HTML for browsers, JSON for all others: for `text/html` before `application/json` in `Accept`, the answer is a page.';
