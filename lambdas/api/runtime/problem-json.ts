import { STATUS_CODES } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Fault, MOST_NAMED, Refusal } from '../../../core/refusal.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';
import { basePath } from './base-path.ts';
import type { ProblemDocument } from './problem-resource.ts';
import { PROBLEMS, type ProblemKind, problemType } from './problems.ts';
import { PROBLEM_MEDIA_TYPE } from './request-headers.ts';

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

const problemOf = (
  { kind, message, faults }: Refusal,
  event: APIGatewayProxyEvent,
): APIGatewayProxyResult =>
  problem(kind, {
    detail: faults.length > MOST_NAMED ? `${message} It has more errors than are named.` : message,
    event,
    ...(faults.length > 0 && { errors: faults.slice(0, MOST_NAMED) }),
  });

/** Shows nothing of the fault, which an operator finds in the log by the request id. */
const internalProblem = (event: APIGatewayProxyEvent): APIGatewayProxyResult =>
  problem('internal', { detail: 'The service failed to answer this request.', event });

interface ProblemParts {
  readonly event: APIGatewayProxyEvent;
  readonly detail: string;
  readonly errors?: readonly Fault[];
}

const problem = (
  kind: ProblemKind,
  { event, detail, errors }: ProblemParts,
): APIGatewayProxyResult => {
  const { status, headers } = PROBLEMS[kind];
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
      'Content-Type': PROBLEM_MEDIA_TYPE,
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: JSON.stringify(document),
  };
};
