import type { APIGatewayProxyEvent } from 'aws-lambda';
import Negotiator from 'negotiator';
import { Refusal } from '../../../core/refusal.ts';
import type { Route } from './route.ts';

/** The media type of a document for a caller who asks for none in particular. */
export const MEDIA_TYPE = 'application/vnd.service+jsonld';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const MEDIA_TYPES = [MEDIA_TYPE, 'application/ld+json', 'application/json'];

/** Many generators of clients take the first media type of a body, or JSON alone. */
export const DOCUMENTED_TYPES = MEDIA_TYPES.toReversed();

/**
 * A header's value; several values are joined as one list. `name` is in lower case, the request's
 * header in any case.
 */
export const headerOf = (event: APIGatewayProxyEvent, name: string): string | undefined => {
  const values = Object.entries(event.multiValueHeaders ?? {})
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length > 0 ? values.join(', ') : undefined;
};

/** Read of Accept: some of its patterns take time by the square of its length. */
const MAX_ACCEPT_LENGTH = 1_000;

const acceptOf = (event: APIGatewayProxyEvent): string | undefined =>
  headerOf(event, 'accept')?.slice(0, MAX_ACCEPT_LENGTH);

/** Parameters except q: a profile or a charset does not make another media type. */
const PARAMETERS = /;\s*(?!q\s*=)[^;,=]+=(?:"[^"]*"|[^;,]*)/gi;

/**
 * The media type that Accept prefers for the answer of a route. A caller who accepts nothing but
 * problems may call a route whose answers have no document: generated clients do. Throws
 * `not-acceptable`.
 */
export const acceptedType = (
  event: APIGatewayProxyEvent,
  { answers }: Pick<Route, 'answers'>,
): string => {
  const accept = acceptOf(event)?.replace(PARAMETERS, '') || undefined;
  const hasDocument = answers.some(({ schema }) => schema !== undefined);
  const types = hasDocument ? MEDIA_TYPES : [...MEDIA_TYPES, PROBLEM_MEDIA_TYPE];
  const accepted = new Negotiator({ headers: { accept } }).mediaType(types);
  if (accepted !== undefined) return accepted;
  throw new Refusal('not-acceptable', `Accept must allow one of ${types.join(', ')}.`);
};

/** Whether a caller of a document in both forms would rather have HTML: browsers ask for it first. */
export const prefersHtml = (event: APIGatewayProxyEvent): boolean =>
  new Negotiator({ headers: { accept: acceptOf(event) } }).mediaType([
    'application/json',
    'text/html',
  ]) === 'text/html';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";,]*)/gi;

/**
 * Throws `unsupported-media-type` for a body that is not JSON in UTF-8. `ofRoute`: media types that the
 * route reads beside those that all routes read.
 */
export const requireJsonContent = (
  event: APIGatewayProxyEvent,
  ofRoute: readonly string[] = [],
): void => {
  const readable = [...ofRoute, ...MEDIA_TYPES];
  const contentType = headerOf(event, 'content-type') ?? '';
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const charsets = [...contentType.matchAll(CHARSET)].map(([, charset = '']) => charset);
  if (!charsets.every((charset) => /^utf-?8$/i.test(charset))) {
    throw new Refusal('unsupported-media-type', 'The charset of the Content-Type must be utf-8.');
  }
  if (readable.includes(mediaType)) return;
  throw new Refusal(
    'unsupported-media-type',
    `The Content-Type must be one of ${readable.join(', ')}.`,
  );
};
