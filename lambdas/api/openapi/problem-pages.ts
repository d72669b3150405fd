import type { ProblemKind } from '../runtime/gateway-problems.ts';
import type { ProblemDocument } from '../runtime/problem-resource.ts';
import { problemExampleOf } from './problem-examples.ts';

/** What the page at a problem's `type` says. */
export interface ProblemPage {
  /** Path of the page. */
  readonly id: string;
  readonly kind: ProblemKind;
  readonly title: string;
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
  readonly example: ProblemDocument;
}

const REMEDIES: Readonly<Record<ProblemKind, string>> = {
  'malformed-json':
    'Send a JSON document with its `Content-Type`, and check that nothing on the way cuts it off.',
  'bad-request': 'Check the request line, the headers and the escapes of the address.',
  unauthorized:
    'Send `Authorization: Bearer <token>` with a token that is not revoked. An organisation admin creates tokens in the console or with `POST /{account_name}/access-tokens`.',
  forbidden: 'Use a token of role `admin`, or ask an organisation admin to make the change.',
  'not-found':
    'Check the method and the path, and that the token is of the account that the resource belongs to. A link of the API begins with a slash: resolve it against the address of the document it is in.',
  'not-acceptable':
    'Send `Accept: application/vnd.service+jsonld`, `application/ld+json` or `application/json`, or no `Accept`.',
  conflict: 'Wait for the seconds in `Retry-After`, and send the request again.',
  'idempotency-conflict':
    'Use a new `Idempotency-Key` for each thing to be created. Send a repeated request with the same body.',
  'integration-inactive':
    'Set `active` to true, with `PATCH` or in the console, and send the request again.',
  'access-token-quota':
    'Use a token that you have for several programs. Revoked tokens count for 30 days; do not create one for each run of a program.',
  'integration-quota': 'Delete an integration that is no longer needed, or change one instead.',
  'test-delivery': 'Send another test with `POST /integrations/{id}/test`.',
  'precondition-failed':
    'Read the integration again, apply your change to what you read, and send it with the new `ETag` in `If-Match`.',
  'payload-too-large': 'Send a smaller body. The settings of an integration have a few KB.',
  'unsupported-media-type':
    'Send the body as JSON, with `Content-Type: application/json` or one that `detail` names.',
  validation:
    'Correct everything that `errors` names by `pointer` (into the body), `parameter` (of the query) or `header`, and send the request again.',
  throttled:
    'Wait for the seconds in `Retry-After`, and send fewer requests. The limits are of a token, of an IP address and of all callers.',
  internal:
    'With status 504 the request took too long, and may have taken effect. Wait a moment, and repeat the request if it is a read, `PUT`, `DELETE`, or a creation with an `Idempotency-Key`. If it fails again, give the operator the `instance`.',
};

const pageOf = (kind: ProblemKind): ProblemPage => {
  const { summary, value } = problemExampleOf(kind);
  return {
    id: value.type,
    kind,
    title: value.title,
    status: value.status,
    meaning: summary,
    remedy: REMEDIES[kind],
    example: value,
  };
};

/** The page of every kind of problem, by status. */
export const PROBLEM_PAGES: readonly ProblemPage[] = (Object.keys(REMEDIES) as ProblemKind[])
  .map(pageOf)
  .toSorted((one, other) => one.status - other.status);
