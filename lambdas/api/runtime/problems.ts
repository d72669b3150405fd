import { IN_WORDS } from '../../../core/customer-limits.ts';
import type { RefusalKind } from '../../../core/refusal.ts';

/** The last segment of a problem's `type`. */
export type ProblemKind = RefusalKind | 'bad-request' | 'unauthorized' | 'internal';

interface Problem {
  readonly status: number;
  /** Beside those that every problem has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** When a call is answered with it, in Markdown. */
  readonly summary: string;
  /** An example of what the answer says: a refusal brings its own detail. */
  readonly detail: string;
  /** What the caller can do about it, in Markdown. */
  readonly remedy: string;
}

/** Every kind of problem. Answers, the documentation and the pages of `/problems` are made of it. */
export const PROBLEMS: Readonly<Record<ProblemKind, Problem>> = {
  'malformed-json': {
    status: 400,
    summary: 'The body is absent or not JSON.',
    detail: 'The request body is not JSON.',
    remedy: 'Send a JSON document with its `Content-Type`, and check that no proxy truncates it.',
  },
  'bad-request': {
    status: 400,
    summary: 'The request cannot be read.',
    detail: 'The request cannot be read.',
    remedy: 'Check the request line, the headers and the escapes of the address.',
  },
  unauthorized: {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer' },
    summary: 'The token is missing, unknown, revoked or expired.',
    detail: 'Send a valid access token: Authorization: Bearer <token>.',
    remedy:
      'Send `Authorization: Bearer <token>` with a token that is neither revoked nor expired. An organisation admin creates tokens in the console or with `POST /{account_name}/access-tokens`.',
  },
  forbidden: {
    status: 403,
    summary: 'The token’s role does not allow this, or a delivery of a webhook is the request.',
    detail: 'Only an organisation admin may do this.',
    remedy:
      'Use a token of role `admin`, or ask an organisation admin to make the change. Let no webhook lead to this API.',
  },
  'console-link-expired': {
    status: 403,
    summary: 'The console link has been used, has expired, or never existed.',
    detail: 'This link has been used or has expired.',
    remedy:
      'Open the console from the platform again: a link can be opened once, within 60 seconds.',
  },
  'not-found': {
    status: 404,
    summary: 'The resource does not exist, or it belongs to another account.',
    detail: 'There is nothing at this address.',
    remedy:
      'Check the method and the path, and that the token belongs to the account of the resource. Links begin with a slash: resolve them against the address of their document.',
  },
  'not-acceptable': {
    status: 406,
    summary: '`Accept` has no media type that is supported.',
    detail:
      'Accept must allow one of application/vnd.service+jsonld, application/ld+json, application/json.',
    remedy:
      'Send `Accept: application/vnd.service+jsonld`, `application/ld+json` or `application/json`, or no `Accept`.',
  },
  conflict: {
    status: 409,
    headers: { 'Retry-After': '1' },
    summary: 'Other requests are changing the integration at the same time.',
    detail: 'Other requests are changing the integration. Try again in a second.',
    remedy: 'Wait for the seconds in `Retry-After`, and send the request again.',
  },
  'idempotency-conflict': {
    status: 409,
    summary: 'The `Idempotency-Key` is in use with another body.',
    detail: 'This Idempotency-Key was used with another request body within the last 24 hours.',
    remedy:
      'Use a new `Idempotency-Key` for each integration. Repeat a request with the same body.',
  },
  'integration-inactive': {
    status: 409,
    summary: 'The integration is inactive.',
    detail: 'The integration is inactive. Activate it first: set `active` to true.',
    remedy: 'Activate it, with `PATCH` or in the console, and send the request again.',
  },
  'access-token-quota': {
    status: 409,
    summary: 'The account has reached its limit of access tokens.',
    detail: `The account has ${IN_WORDS.accessTokens}, the most allowed. Those revoked or expired in the last 30 days count.`,
    remedy:
      'Use one token for several programs, and do not create one for each run of a program. Revoked and expired tokens count for 30 days.',
  },
  'integration-quota': {
    status: 409,
    summary: 'The account has reached its limit of integrations.',
    detail: `The account has ${IN_WORDS.integrations}, the most allowed. Delete one first.`,
    remedy: 'Delete an integration that you no longer need, or change one instead.',
  },
  'test-delivery': {
    status: 409,
    summary: 'The delivery is a test. Tests are not sent again.',
    detail: 'This delivery is a test. Send another test instead.',
    remedy: 'Send another test with `POST /integrations/{id}/test`.',
  },
  'precondition-failed': {
    status: 412,
    summary: 'The settings no longer have the `ETag` in `If-Match`.',
    detail: 'If-Match does not match the integration. Read it again.',
    remedy:
      'Read the integration again, apply your change to what you read, and send it with the new `ETag` in `If-Match`.',
  },
  'payload-too-large': {
    status: 413,
    summary: 'The body is larger than 65,536 bytes.',
    detail: 'The request body is larger than 65536 bytes.',
    remedy: 'Send a smaller body.',
  },
  'unsupported-media-type': {
    status: 415,
    summary: 'This `Content-Type` is not supported.',
    detail:
      'The Content-Type must be one of application/vnd.service+jsonld, application/ld+json, application/json.',
    remedy:
      'Send the body as JSON, with `Content-Type: application/json` or one that `detail` names.',
  },
  validation: {
    status: 422,
    summary: 'The body, a parameter of the query or a header is not valid.',
    detail: 'The request body is not valid.',
    remedy:
      'Correct what `errors` names by `pointer` (into the body), `parameter` (of the query) or `header`, and send the request again.',
  },
  throttled: {
    status: 429,
    headers: { 'Retry-After': '60' },
    summary: 'Too many requests.',
    detail: 'Too many requests. Try again later.',
    remedy:
      'Wait for the seconds in `Retry-After`, and send fewer requests. There are limits for each account, each token, each IP address and all callers.',
  },
  internal: {
    status: 500,
    summary:
      'An error of the service. You can repeat a read, `PUT`, `DELETE`, and a creation with an `Idempotency-Key`.',
    detail: 'Something went wrong on our side.',
    remedy:
      'With status 504, the request may have taken effect. Wait a moment, and repeat the request if it is a read, `PUT`, `DELETE`, or a creation with an `Idempotency-Key`. If it fails again, give the operator the `instance`.',
  },
};

/**
 * The `type` of a problem: the path of the page about it, at the host of the request. RFC 9457
 * resolves it against the request's address, so it begins with the path that the API is served at,
 * `base`. The gateway's own problems have the base of the stage's domain, if it has one, also at the
 * default name of the API.
 */
export const problemType = (kind: ProblemKind, base = ''): string => `${base}/problems/${kind}`;
