import type * as z from 'zod';
import type { Role } from '../../../core/directory/user.ts';
import type { RefusalKind } from '../../../core/refusal.ts';

/**
 * One operation of the API, declared once, beside its handler. The gateway's routes, the
 * endpoint's checks and the OpenAPI document are made of it.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Routes share parameter names: API Gateway refuses `/users/{user}` beside `/users/{id}`. */
  readonly path: `/${string}`;
  /**
   * Who may call: `public` needs no token, `member` any token, `admin` an admin's token. `code` needs
   * a code in the body, and `platform` the signature of a role of IAM that the stage names.
   */
  readonly access: 'public' | 'code' | 'platform' | Role;
  /** Makes an attempt while the caller waits, causes many, or reads much: it has tighter limits. */
  readonly isCostly?: true;
  readonly operationId: string;
  readonly tag: Tag;
  /** One line. */
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** A strict object of strings, so that a misspelt parameter is refused by name. */
  readonly query?: z.ZodObject;
  readonly requestHeaders?: readonly ('If-Match' | 'If-None-Match' | 'Idempotency-Key')[];
  readonly body?: RequestBody;
  readonly answers: readonly Answer[];
  /** The kinds of refusals beside those that access, body and query imply. */
  readonly refusals: readonly RefusalKind[];
}

/**
 * The functions of the API, each with the permissions of its routes: `serve-reference` has none,
 * `read-api` reads, `change-api` writes settings and tokens and seals secrets, `send-api` opens
 * secrets and sends events.
 */
export type ApiFunction = 'serve-reference' | 'read-api' | 'change-api' | 'send-api';

/** Whether the authorizer is in front of a route. */
export const needsToken = ({ access }: Pick<Route, 'access'>): boolean =>
  access === 'member' || access === 'admin';

/** The function that has the permissions that a route needs. */
export const functionOf = ({
  access,
  method,
  isCostly,
}: Pick<Route, 'access' | 'method' | 'isCostly'>): ApiFunction => {
  if (access === 'public') return 'serve-reference';
  if (method === 'GET') return 'read-api';
  return isCostly ? 'send-api' : 'change-api';
};

export type Tag =
  | 'Integrations'
  | 'Deliveries'
  | 'Activity'
  | 'Test and recover'
  | 'Accounts'
  | 'Access tokens'
  | 'Console links'
  | 'Signatures'
  | 'Reference';

export interface RequestBody {
  readonly schema: z.ZodType;
  /** Whether a request without a body is read as `{}`. */
  readonly isOptional?: boolean;
  /** Media types that the body may have beside the usual three. */
  readonly mediaTypes?: readonly string[];
  readonly examples: Readonly<Record<string, Example>>;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** An answer that is no problem. A status with several media types has one Answer for each. */
export interface Answer {
  /** 404: a page that says so to a browser; others get a problem. */
  readonly status: 200 | 201 | 202 | 204 | 304 | 404;
  readonly description: string;
  /** Schema of the document; an answer without a schema has no body. */
  readonly schema?: z.ZodType;
  /** When absent, the one of `MEDIA_TYPES` that the caller prefers. */
  readonly mediaType?: string;
  readonly headers?: readonly ('ETag' | 'Location' | 'Cache-Control')[];
  readonly examples?: Readonly<Record<string, Example>>;
  /**
   * Instead of `examples`: the summaries, by name. `npm run docs` plays the scene of each and writes
   * what the API answers to `recorded-examples.json`.
   */
  readonly recorded?: Readonly<Record<string, string>>;
}
