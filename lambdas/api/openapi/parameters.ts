import * as z from 'zod';
import { TOKEN_ID } from '../../../core/directory/access-token.ts';
import { ACCOUNT_NAME } from '../../../core/directory/account.ts';
import { USER_ID } from '../../../core/directory/user.ts';
import { INTEGRATION_ID } from '../../../core/integration/read-integration.ts';
import { CONTEXT_DOCUMENTS } from '../reference/context-documents.ts';
import { ASSET_NAMES } from '../reference/docs-assets.ts';
import { EVENT_SCHEMAS } from '../reference/event-type-documents.ts';
import { REASON_NAME } from '../reference/reason-pages.ts';
import { FILE_NAME, GUIDE_NAME } from '../runtime/guide.ts';
import { PROBLEM_PAGES } from '../runtime/problem-pages.ts';
import type { Route } from '../runtime/route.ts';

/** Path parameters by the names that they have in the routes' paths. */
const PATH_PARAMETERS: Readonly<Record<string, z.ZodType>> = {
  account_name: z.string().meta({ description: 'The account of the token.', example: 'acme' }),
  id: z.string().regex(INTEGRATION_ID).meta({
    description: 'The integration, as in its `id` after `/integrations/`.',
    example: '8Fq2LmZ0aBcD',
  }),
  event: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({
      description: 'The event, as in the delivery’s `id` after `/deliveries/`.',
      example: 'evt_01JD8Q',
    }),
  account: z.string().regex(ACCOUNT_NAME).meta({
    description: 'An account of the token’s organisation, by its name.',
    example: 'acme-sms',
  }),
  token: z.string().regex(TOKEN_ID).meta({
    description: 'The access token, as in its `id` after `/access-tokens/`; not the token itself.',
    example: 'tok_0f1e2d3c4b5a6978',
  }),
  user: z.string().regex(USER_ID).meta({ description: 'The user’s identifier.', example: 'u_1' }),
  document: z.enum([...CONTEXT_DOCUMENTS.keys()]).meta({
    description: 'The type, and `.jsonld`.',
    example: 'Signature.jsonld',
  }),
  schema: z.enum([...EVENT_SCHEMAS.keys()]).meta({
    description: 'The event type, and `.json`.',
    example: 'message.received.json',
  }),
  kind: z.enum(PROBLEM_PAGES.map(({ kind }) => kind)).meta({
    description: 'The last segment of a problem’s `type`.',
    example: 'validation',
  }),
  reason: z.string().regex(REASON_NAME).meta({
    description: 'A reason as `GET /reasons` lists it, or `status-` and a status code.',
    example: 'tls-failure',
  }),
  page: z.string().regex(GUIDE_NAME).meta({
    description: 'The guide, as `GET /guides` leads to it.',
    example: 'recover',
  }),
  receiver: z.string().regex(GUIDE_NAME).meta({
    description: 'The receiver, as `GET /guides/receivers` leads to it.',
    example: 'express',
  }),
  file: z.string().regex(FILE_NAME).meta({
    description: 'The file, as the page of the receiver leads to it.',
    example: 'server.js',
  }),
  asset: z.enum(ASSET_NAMES).meta({ description: 'The file.', example: 'swagger-ui.css' }),
};

/** Without an `example`: Swagger UI would send it, and it matches no caller's documents. */
const REQUEST_HEADERS: Readonly<Record<NonNullable<Route['requestHeaders']>[number], z.ZodType>> = {
  'If-Match': z.string().optional().meta({
    description:
      'Make the change only if the settings still have this `ETag`; otherwise `412`, also if the header is empty.',
  }),
  'If-None-Match': z.string().optional().meta({
    description: 'The `ETag` of your copy: if the document has not changed, the answer is `304`.',
  }),
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7E]{1,255}$/)
    .optional()
    .meta({
      description: 'A new text for each integration, such as a UUID: makes the call repeatable.',
      examples: ['1f0c6a0e-7a5e-4b57-9f0e-2d9c7a6b1c34'],
    }),
};

/** The parameters of a route. Throws for a path parameter that is not described here. */
export const parametersOf = ({ path, query, requestHeaders }: Route) => ({
  path: z.object(
    Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, pathParameter(name)]),
    ),
  ),
  ...(query && { query }),
  ...(requestHeaders && {
    header: z.object(
      Object.fromEntries(requestHeaders.map((name) => [name, REQUEST_HEADERS[name]])),
    ),
  }),
});

const pathParameter = (name: string): z.ZodType => {
  const parameter = PATH_PARAMETERS[name];
  if (parameter === undefined) throw new Error(`The path parameter ${name} is not described.`);
  return parameter;
};

const RESPONSE_HEADERS: Readonly<Record<string, z.ZodType>> = {
  ETag: z.string().meta({
    description: 'Of the integration’s settings (not of its `status`), or of the public document.',
    example: '"8Fq2LmZ0aBcD-1"',
  }),
  Location: z.string().meta({
    description: 'Path of what was created.',
    example: '/integrations/8Fq2LmZ0aBcD',
  }),
  'Cache-Control': z.string().meta({
    description: 'How long the document may be cached.',
    example: 'public, max-age=86400',
  }),
  'Retry-After': z.string().meta({
    description: 'How many seconds to wait before the call is repeated.',
    example: '60',
  }),
  'WWW-Authenticate': z.string().meta({
    description: 'How to authenticate.',
    example: 'Bearer',
  }),
};

/** The headers of an answer. Throws for a header that is not described here. */
export const headersOf = (names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, responseHeader(name)])));

const responseHeader = (name: string): z.ZodType => {
  const header = RESPONSE_HEADERS[name];
  if (header === undefined) throw new Error(`The response header ${name} is not described.`);
  return header;
};
