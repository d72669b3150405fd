import { STATUS_CODES } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Fault, Refusal, type RefusalKind } from '../../../core/refusal.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';
import { basePath } from './base-path.ts';
import { type ProblemKind, problemType } from './gateway-problems.ts';
import type { ProblemDocument } from './problem-resource.ts';

/** The status of each kind of refusal. */
export const STATUS_OF: Record<RefusalKind, number> = {
  'malformed-json': 400,
  forbidden: 403,
  'not-found': 404,
  'not-acceptable': 406,
  conflict: 409,
  'idempotency-conflict': 409,
  'integration-inactive': 409,
  'integration-quota': 409,
  'access-token-quota': 409,
  'test-delivery': 409,
  'precondition-failed': 412,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  validation: 422,
};

/** The headers of some kinds of refusals, beside those that every problem has. */
export const HEADERS_OF: { readonly [Kind in RefusalKind]?: Readonly<Record<string, string>> } = {
  conflict: { 'Retry-After': '1' },
};

/**
 * The answer (RFC 9457) to a request whose handling threw an error. An error that is not a refusal
 * is a fault of the service: it is logged, and answered with 500.
 */
export const refuse = (
  error: unknown,
  event: APIGatewayProxyEvent,
  logger: Logger,
): APIGatewayProxyResult => {
  const { requestId } = event.requestContext;
  if (error instanceof Refusal) return problemOf(error, event);
  logger.error('request.failed', { requestId, route: event.resource, ...faultField(error) });
  return internalProblem(event);
};

const problemOf = (refusal: Refusal, event: APIGatewayProxyEvent): APIGatewayProxyResult =>
  problem(refusal.kind, STATUS_OF[refusal.kind], {
    detail: refusal.message,
    event,
    headers: HEADERS_OF[refusal.kind],
    ...(refusal.faults.length > 0 && { errors: refusal.faults }),
  });

/** Shows nothing of the fault, which an operator finds in the log by the request id. */
const internalProblem = (event: APIGatewayProxyEvent): APIGatewayProxyResult =>
  problem('internal', 500, { detail: 'The service failed to answer this request.', event });

interface ProblemParts {
  readonly event: APIGatewayProxyEvent;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly errors?: readonly Fault[];
}

const problem = (
  kind: ProblemKind,
  status: number,
  { event, detail, headers, errors }: ProblemParts,
): APIGatewayProxyResult => {
  const document: ProblemDocument = {
    type: problemType(kind, basePath(event)),
    title: STATUS_CODES[status] ?? '',
    status,
    detail,
    instance: `urn:uuid:${event.requestContext.requestId}`,
    ...(errors && { errors: [...errors] }),
  };
  return {
    statusCode: status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: JSON.stringify(document),
  };
};
