import { STATUS_CODES } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Refusal, RefusalKind } from '../../core/refusal.ts';

const STATUS_OF: Record<RefusalKind, number> = {
  'malformed-json': 400,
  forbidden: 403,
  'not-found': 404,
  'not-acceptable': 406,
  'idempotency-conflict': 409,
  'precondition-failed': 412,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  validation: 422,
};

/** The answer to a request that is the caller's fault: RFC 9457, the one place refusals become statuses. */
export const problemOf = (refusal: Refusal, requestId: string): APIGatewayProxyResult =>
  problem(refusal.kind, STATUS_OF[refusal.kind], {
    detail: refusal.message,
    requestId,
    ...(refusal.faults.length > 0 && { errors: refusal.faults }),
  });

/** The answer to a fault of ours. Shows nothing of it; the request id finds it in the log. */
export const internalProblem = (requestId: string): APIGatewayProxyResult =>
  problem('internal', 500, { detail: 'The service failed to answer this request.', requestId });

const problem = (
  slug: string,
  status: number,
  { requestId, detail, ...members }: { requestId: string; detail: string; errors?: unknown },
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
  },
  body: JSON.stringify({
    type: `urn:service:problem:${slug}`,
    title: STATUS_CODES[status],
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    ...members,
  }),
});
