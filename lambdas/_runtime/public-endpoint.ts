import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { Refusal } from '../../core/refusal.ts';
import { refuse } from './problem-json.ts';
import type { Logger } from './reporting.ts';
import { headerOf } from './request-headers.ts';

/** A text that everyone may read, and that is the same for everyone. */
export interface PublicText {
  readonly text: string;
  readonly entityTag: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PublicTextWishes {
  /** With its charset, where it is not JSON. */
  readonly mediaType: string;
  readonly maxAgeSeconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** To be made once: its tag is a hash of all of it. */
export const publicText = (
  text: string,
  { mediaType, maxAgeSeconds, headers }: PublicTextWishes,
): PublicText => {
  const entityTag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  return {
    text,
    entityTag,
    headers: {
      'Content-Type': mediaType,
      'Cache-Control': `public, max-age=${maxAgeSeconds}`,
      ETag: entityTag,
      // The gateway compresses.
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  };
};

/** The chain of an API function without an authorizer; `find` says what is at the address, if anything. */
export const publicEndpoint =
  (logger: Logger, find: (event: APIGatewayProxyEvent) => PublicText | undefined) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    try {
      const found = find(event);
      if (found === undefined) throw new Refusal('not-found', 'There is no such document.');
      return answerOf(found, event);
    } catch (error) {
      return refuse(error, event, logger);
    }
  };

/**
 * A 304 has the same headers: caches take those of a stored answer from it, and without a
 * Content-Type the gateway would call everything JSON.
 */
const answerOf = (
  { text, entityTag, headers }: PublicText,
  event: APIGatewayProxyEvent,
): APIGatewayProxyResult =>
  isHeld(entityTag, headerOf(event, 'if-none-match'))
    ? { statusCode: 304, headers: { ...headers }, body: '' }
    : { statusCode: 200, headers: { ...headers }, body: text };

/** Whether the caller has it already. What compresses an answer may have made its tag a weak one. */
const isHeld = (entityTag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.trim() === '*' || (ifNoneMatch?.match(/"[^"]*"/g)?.includes(entityTag) ?? false);
