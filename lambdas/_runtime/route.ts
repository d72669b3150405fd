import type * as z from 'zod';
import type { Role } from '../../core/directory/principal.ts';
import type { RefusalKind } from '../../core/refusal.ts';

/**
 * One operation of the API, as its function's `route.ts` has it: what the gateway routes, the
 * endpoint checks and the OpenAPI document tells is this, and nothing else says it again.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** One parameter name a level: API Gateway refuses `/users/{user}` beside `/users/{id}`. */
  readonly path: `/${string}`;
  /** `public` needs no token; members read, admins also write. */
  readonly access: 'public' | Role;
  /** Makes an attempt while its caller waits, or has many made: the gateway throttles it more. */
  readonly isCostly?: true;
  readonly operationId: string;
  readonly tag: Tag;
  /** A line. */
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** Of strings; a strict object, so that a misspelt parameter is refused by name. */
  readonly query?: z.ZodObject;
  readonly requestHeaders?: readonly ('If-Match' | 'If-None-Match' | 'Idempotency-Key')[];
  readonly body?: RequestBody;
  readonly answers: readonly Answer[];
  /** Beside those that follow from access, body and query. */
  readonly refusals: readonly RefusalKind[];
}

export type Tag = 'Integrations' | 'Deliveries' | 'Test and recover' | 'Signatures' | 'Reference';

export interface RequestBody {
  readonly schema: z.ZodType;
  /** Whether a request without one is read as `{}`. */
  readonly isOptional?: boolean;
  /** Media types that it may have beside the usual ones. */
  readonly mediaTypes?: readonly string[];
  readonly examples: Readonly<Record<string, Example>>;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** A success; one a media type, where a status has several. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204 | 304;
  readonly description: string;
  /** Of its document; an answer without one has no body. */
  readonly schema?: z.ZodType;
  /** `application/vnd.service+jsonld` when absent. */
  readonly mediaType?: string;
  readonly headers?: readonly ('ETag' | 'Location' | 'Cache-Control')[];
  readonly examples?: Readonly<Record<string, Example>>;
}
