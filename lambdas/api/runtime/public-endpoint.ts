import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { Refusal } from '../../../core/refusal.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { refuse } from './problem-json.ts';
import { headerOf } from './request-headers.ts';

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** A text that everyone may read and that is the same for all callers. */
export interface PublicText {
  readonly text: string;
  readonly entityTag: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PublicTextOptions {
  /** With the charset, unless the text is JSON. */
  readonly mediaType: string;
  readonly maxAgeSeconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A public text. Make each text once: its entity tag is a hash of the whole text. */
export const publicText = (
  text: string,
  { mediaType, maxAgeSeconds, headers }: PublicTextOptions,
): PublicText => {
  const entityTag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  return {
    text,
    entityTag,
    headers: {
      'Content-Type': mediaType,
      'Cache-Control': `public, max-age=${maxAgeSeconds}`,
      ETag: entityTag,
      // The gateway compresses the text.
      Vary: 'Accept-Encoding',
      ...headers,
    },
  };
};

/**
 * The endpoint of an API function without an authorizer. `find` returns the text at a request's
 * address; undefined becomes a `not-found` problem, or for a browser the page of `missing`.
 */
export const publicEndpoint =
  (
    logger: Logger,
    find: (event: APIGatewayProxyEvent) => PublicText | undefined,
    missing?: (event: APIGatewayProxyEvent) => PublicText | undefined,
  ) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    try {
      const found = find(event);
      if (found !== undefined) return answerOf(found, event);
      const page = headerOf(event, 'accept')?.includes('text/html') ? missing?.(event) : undefined;
      if (page === undefined) throw new Refusal('not-found', 'The document does not exist.');
      const headers = { ...page.headers, 'Cache-Control': 'no-store' };
      return { statusCode: 404, headers, body: page.text };
    } catch (error) {
      return refuse(error, event, logger);
    }
  };

/**
 * A 304 has the same headers as a 200: caches update a stored answer's headers from the 304, and
 * without a Content-Type the gateway would set `application/json`.
 */
const answerOf = (
  { text, entityTag, headers }: PublicText,
  event: APIGatewayProxyEvent,
): APIGatewayProxyResult =>
  callerHas(entityTag, headerOf(event, 'if-none-match'))
    ? { statusCode: 304, headers: { ...headers }, body: '' }
    : { statusCode: 200, headers: { ...headers }, body: text };

/** Whether the caller has the text already. Compression may have made the caller's tag weak. */
const callerHas = (entityTag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.trim() === '*' || (ifNoneMatch?.match(/"[^"]*"/g)?.includes(entityTag) ?? false);
