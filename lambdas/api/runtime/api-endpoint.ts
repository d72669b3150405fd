import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import { USER_AGENT } from '../../../core/delivery/signature-headers.ts';
import { type Principal, ROLES, type Role } from '../../../core/directory/user.ts';
import {
  requireDistinctNames,
  requireFewLevels,
  requireUtf8,
  requireWholeTexts,
} from '../../../core/event/readable-json.ts';
import type { Actor } from '../../../core/integration/integration.ts';
import { INTEGRATION_ID } from '../../../core/integration/read-integration.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { basePath, belowBasePath } from './base-path.ts';
import { pathParameter } from './path-parameter.ts';
import { refuse } from './problem-json.ts';
import { queryOf } from './query-parameters.ts';
import { acceptedType, headerOf, requireJsonContent } from './request-headers.ts';
import type { Route } from './route.ts';

export interface ApiRequest<Query = unknown> {
  readonly principal: Principal;
  /** A path parameter, percent-decoded; empty when the route has no parameter of that name. */
  readonly parameter: (name: string) => string;
  /** The query, parsed by the route's schema; undefined on a route without a query. */
  readonly query: Query;
  readonly header: (name: string) => string | undefined;
  /** The parsed JSON body; null on a route without a body. */
  readonly body: unknown;
}

export interface ApiAnswer {
  readonly statusCode: number;
  /**
   * Its links are paths of the API: the answer has them after the path that the API is served at. An
   * answer without a document has no body.
   */
  readonly document?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  /** Path of the created resource. `Location` has the path as links of the document have theirs. */
  readonly location?: string;
}

/** The members of a route that its endpoint checks requests by. */
type EndpointRoute = Pick<Route, 'query' | 'body' | 'answers'>;

/** A request of a route that needs no token. */
type OpenRequest<Query> = Omit<ApiRequest<Query>, 'principal'>;

type QueryOf<Given extends EndpointRoute> = Given['query'] extends z.ZodObject
  ? z.output<Given['query']>
  : undefined;

/** Larger bodies are refused: an Integration has a few KB. */
const MAX_BODY_BYTES = 65_536;

/** The endpoint of a route behind the authorizer: it checks account name and role, too. */
export const apiEndpoint = <Given extends EndpointRoute & { readonly access: Role }>(
  route: Given,
  logger: Logger,
  handle: (request: ApiRequest<QueryOf<Given>>) => Promise<ApiAnswer>,
) =>
  jsonEndpoint(route, logger, {
    admit: (event) => requirePermission(event, route.access),
    handle: (request, event) => handle({ ...request, principal: principalOf(event) }),
  });

/**
 * The endpoint of a route. It checks Accept, caller, body and query, in this order, then calls the
 * handler. Every error becomes problem+json.
 */
export const jsonEndpoint = <Given extends EndpointRoute>(
  route: Given,
  logger: Logger,
  {
    admit,
    handle,
  }: {
    /** Throws for a caller who may not call. */
    readonly admit?: (event: APIGatewayProxyEvent) => void;
    readonly handle: (
      request: OpenRequest<QueryOf<Given>>,
      event: APIGatewayProxyEvent,
    ) => Promise<ApiAnswer>;
  },
) => {
  const handler = middy(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const request = {
      parameter: (name: string) => pathParameter(event, name) ?? '',
      query: queryOf(event, route.query) as QueryOf<Given>,
      header: (name: string) => headerOf(event, name),
      body: event.body,
    };
    return resultOf(await handle(request, event), event, acceptedType(event, route));
  })
    .onError(
      ({ error, event, response }) => response ?? refuse(refusalOf(error) ?? error, event, logger),
    )
    .before(({ event }) => {
      acceptedType(event, route);
      admit?.(event);
    });
  const { body } = route;
  if (body !== undefined) {
    handler
      .before(({ event, internal }: OneRequest) => {
        // An absent body is read as an empty object, whatever its Content-Type.
        if (body.isOptional && !event.body) event.body = '{}';
        else requireJsonContent(event, body.mediaTypes);
        internal.text = readableText(event);
      })
      .use(httpJsonBodyParser({ disableContentTypeCheck: true }))
      .before(({ event, internal }: OneRequest) => {
        requireDistinctNames(internal.text ?? '');
        requireWholeTexts(event.body);
      });
  }
  return handler;
};

interface OneRequest {
  readonly event: APIGatewayProxyEvent;
  /** For what the middleware of one request share: its body before it is parsed. */
  readonly internal: { text?: string };
}

/** The JSON text of a request's body, if it may be parsed. */
const readableText = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string => {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length === 0) throw new Refusal('malformed-json', 'The request has no body.');
  if (bytes.length > MAX_BODY_BYTES)
    throw new Refusal(
      'payload-too-large',
      `The request body is larger than ${MAX_BODY_BYTES} bytes.`,
    );
  requireUtf8(bytes);
  const text = bytes.toString();
  if (text.startsWith('\uFEFF')) {
    throw new Refusal(
      'malformed-json',
      'The request body begins with a byte order mark, which JSON does not have.',
    );
  }
  requireFewLevels(text);
  return text;
};

const principalSchema = z.object({
  user: z.string().transform(decodeURIComponent),
  account: z.string(),
  role: z.enum(ROLES),
  token: z.string().optional(),
  expiresAt: z.string().optional(),
});

/** The principal that the authorizer function put into the request's context. */
const principalOf = (event: APIGatewayProxyEvent): Principal =>
  principalSchema.parse(event.requestContext.authorizer);

const requirePermission = (event: APIGatewayProxyEvent, role: Role): void => {
  const principal = principalOf(event);
  const accountName = pathParameter(event, 'account_name') ?? principal.account;
  if (accountName !== principal.account) {
    throw new Refusal('not-found', 'The account does not exist.');
  }
  const isOfItself =
    principal.token !== undefined && principal.token === pathParameter(event, 'token');
  if (role === 'admin' && principal.role !== 'admin' && !isOfItself) {
    throw new Refusal('forbidden', 'Only an organisation admin may do this.');
  }
  if (role === 'admin' && headerOf(event, 'user-agent')?.startsWith(`${USER_AGENT}/`)) {
    throw new Refusal(
      'forbidden',
      'A webhook must not change its own service: it could call itself for ever.',
    );
  }
};

const resultOf = (
  answer: ApiAnswer,
  event: APIGatewayProxyEvent,
  mediaType: string,
): APIGatewayProxyResult => ({
  statusCode: answer.statusCode,
  headers: {
    ...(answer.document !== undefined && { 'Content-Type': mediaType }),
    'Cache-Control': 'no-store',
    ...answer.headers,
    ...(answer.location !== undefined && { Location: basePath(event) + answer.location }),
  },
  body:
    answer.document === undefined
      ? ''
      : JSON.stringify(belowBasePath(answer.document, basePath(event))),
});

interface BodyParserError extends Error {
  readonly cause: { readonly package: string; readonly data: unknown };
}

const isBodyParserError = (error: unknown): error is BodyParserError =>
  (error as Partial<BodyParserError> | null | undefined)?.cause?.package ===
  '@middy/http-json-body-parser';

/**
 * The refusal for an error; undefined for a fault of the service. Errors of the body parser have
 * the body in their cause, so they must not get into the log.
 */
const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof Refusal) return error;
  if (!isBodyParserError(error)) return undefined;
  if (!error.message.startsWith('Forbidden key')) {
    return new Refusal('malformed-json', 'The request body is not JSON.');
  }
  const detail = `a member must not be named ${error.cause.data}`;
  return new Refusal('validation', 'The request body is not valid.', [{ pointer: '', detail }]);
};

/** The user of a request, as the changes that the request makes name the user. */
export const actorOf = ({ principal: { user, token } }: Pick<ApiRequest, 'principal'>): Actor => ({
  kind: 'user',
  user,
  ...(token !== undefined && { token }),
});

/** The integration in a request's path. Throws `not-found` for a text that cannot be an id. */
export const integrationIn = (
  request: Pick<ApiRequest, 'parameter' | 'principal'>,
): { account: string; id: string } => {
  const id = request.parameter('id');
  if (!INTEGRATION_ID.test(id)) throw new Refusal('not-found', 'The integration does not exist.');
  return { account: request.principal.account, id };
};
