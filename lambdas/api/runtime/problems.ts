import type { RefusalKind } from '../../../core/refusal.ts';

/** The last segment of a problem's `type`. */
export type ProblemKind = RefusalKind | 'bad-request' | 'unauthorized' | 'throttled' | 'internal';

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
    remedy:
      'Send a JSON document with its `Content-Type`, and check that nothing on the way cuts it off.',
  },
  'bad-request': {
    status: 400,
    summary: 'The request cannot be read.',
    detail: 'The request could not be understood.',
    remedy: 'Check the request line, the headers and the escapes of the address.',
  },
  unauthorized: {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer' },
    summary: 'The token is missing, unknown or revoked.',
    detail: 'A valid access token is needed: Authorization: Bearer <token>.',
    remedy:
      'Send `Authorization: Bearer <token>` with a token that is not revoked. An organisation admin creates tokens in the console or with `POST /{account_name}/access-tokens`.',
  },
  forbidden: {
    status: 403,
    summary: 'The token’s role does not allow this.',
    detail: 'Only an organisation admin may do this.',
    remedy: 'Use a token of role `admin`, or ask an organisation admin to make the change.',
  },
  'not-found': {
    status: 404,
    summary: 'The resource does not exist, or it belongs to another account.',
    detail: 'There is no resource of yours at this address.',
    remedy:
      'Check the method and the path, and that the token belongs to the account of the resource. A link of the API begins with a slash: resolve it against the address of the document it is in.',
  },
  'not-acceptable': {
    status: 406,
    summary: '`Accept` allows no media type that we support.',
    detail:
      'Answers are written in application/vnd.service+jsonld, application/ld+json, application/json.',
    remedy:
      'Send `Accept: application/vnd.service+jsonld`, `application/ld+json` or `application/json`, or no `Accept`.',
  },
  conflict: {
    status: 409,
    headers: { 'Retry-After': '1' },
    summary: 'The integration was changed at the same time by others, repeatedly.',
    detail: 'The integration was changed at the same time by others. Try again in a second.',
    remedy: 'Wait for the seconds in `Retry-After`, and send the request again.',
  },
  'idempotency-conflict': {
    status: 409,
    summary: 'The `Idempotency-Key` was used with another body.',
    detail: 'This Idempotency-Key was used with another request body within the last 24 hours.',
    remedy:
      'Use a new `Idempotency-Key` for each thing to be created. Send a repeated request with the same body.',
  },
  'integration-inactive': {
    status: 409,
    summary: 'The integration is inactive: it gets no events.',
    detail: 'The integration is inactive, so nothing is sent: set `active` to true first.',
    remedy: 'Set `active` to true, with `PATCH` or in the console, and send the request again.',
  },
  'access-token-quota': {
    status: 409,
    summary: 'The account has reached its limit of access tokens.',
    detail:
      'The account has 1000 access tokens, with those revoked in the last 30 days, and an account may have no more.',
    remedy:
      'Use a token that you have for several programs. Revoked tokens count for 30 days; do not create one for each run of a program.',
  },
  'integration-quota': {
    status: 409,
    summary: 'The account has reached its limit of integrations.',
    detail: 'The account has 100 integrations, and an account may have no more: delete one first.',
    remedy: 'Delete an integration that is no longer needed, or change one instead.',
  },
  'test-delivery': {
    status: 409,
    summary: 'The delivery is a test. Tests are not sent again.',
    detail: 'This was a test: send another one instead.',
    remedy: 'Send another test with `POST /integrations/{id}/test`.',
  },
  'precondition-failed': {
    status: 412,
    summary: 'The settings have changed since they had the `ETag` that `If-Match` names.',
    detail: 'The integration is not as If-Match says: read it again.',
    remedy:
      'Read the integration again, apply your change to what you read, and send it with the new `ETag` in `If-Match`.',
  },
  'payload-too-large': {
    status: 413,
    summary: 'The body is larger than 65,536 bytes.',
    detail: 'A request body has at most 65536 bytes.',
    remedy: 'Send a smaller body. The settings of an integration have a few KB.',
  },
  'unsupported-media-type': {
    status: 415,
    summary: 'This `Content-Type` is not supported.',
    detail:
      'The Content-Type of a request body must be one of application/vnd.service+jsonld, application/ld+json, application/json.',
    remedy:
      'Send the body as JSON, with `Content-Type: application/json` or one that `detail` names.',
  },
  validation: {
    status: 422,
    summary: 'The body, a parameter of the query or a header is not valid.',
    detail: 'The request body is not valid.',
    remedy:
      'Correct everything that `errors` names by `pointer` (into the body), `parameter` (of the query) or `header`, and send the request again.',
  },
  throttled: {
    status: 429,
    headers: { 'Retry-After': '60' },
    summary: 'Too many requests.',
    detail: 'Requests come faster than allowed. Try again later.',
    remedy:
      'Wait for the seconds in `Retry-After`, and send fewer requests. The limits are of a token, of an IP address and of all callers.',
  },
  internal: {
    status: 500,
    summary:
      'Our fault. A read, `PUT` and `DELETE` can be repeated; so can a creation with an `Idempotency-Key`.',
    detail: 'Something went wrong on our side.',
    remedy:
      'With status 504 the request took too long, and may have taken effect. Wait a moment, and repeat the request if it is a read, `PUT`, `DELETE`, or a creation with an `Idempotency-Key`. If it fails again, give the operator the `instance`.',
  },
};

/**
 * The `type` of a problem: the path of the page about it, at the host of the request. RFC 9457
 * resolves it against the request's address, so it begins with the path that the API is served at,
 * `base`. The gateway's own problems have the base of the stage's domain, if it has one, also at the
 * default name of the API.
 */
export const problemType = (kind: ProblemKind, base = ''): string => `${base}/problems/${kind}`;
