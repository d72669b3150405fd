import type { APIGatewayProxyEvent } from 'aws-lambda';
import Negotiator from 'negotiator';
import { Refusal } from '../../core/refusal.ts';

/** What every answer that is not a problem is written in. */
export const MEDIA_TYPE = 'application/vnd.service+jsonld';

export const MEDIA_TYPES = [MEDIA_TYPE, 'application/ld+json', 'application/json'];

/** A header's value whatever its case; several of one name are joined as one list. */
export const headerOf = (event: APIGatewayProxyEvent, name: string): string | undefined => {
  const values = Object.entries(event.multiValueHeaders ?? {})
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length > 0 ? values.join(', ') : undefined;
};

/** Parameters but q: a profile or a charset does not make ours another media type. */
const PARAMETERS = /;\s*(?!q\s*=)[^;,=]+=(?:"[^"]*"|[^;,]*)/gi;

export const requireAcceptable = (event: APIGatewayProxyEvent): void => {
  const accept = headerOf(event, 'accept')?.replace(PARAMETERS, '') || undefined;
  if (new Negotiator({ headers: { accept } }).mediaTypes(MEDIA_TYPES).length > 0) return;
  throw new Refusal('not-acceptable', `Answers are written in ${MEDIA_TYPE}.`);
};

/** `ofRoute` are the media types that a route reads before those that all do. */
export const requireJsonContent = (
  event: APIGatewayProxyEvent,
  ofRoute: readonly string[] = [],
): void => {
  const readable = [...ofRoute, ...MEDIA_TYPES];
  const mediaType = headerOf(event, 'content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== undefined && readable.includes(mediaType)) return;
  throw new Refusal(
    'unsupported-media-type',
    `The Content-Type of a request body must be one of ${readable.join(', ')}.`,
  );
};
