import type { RefusalKind } from '../../../core/refusal.ts';

/** The last segment of a problem's `type`. */
export type ProblemKind = RefusalKind | 'bad-request' | 'unauthorized' | 'throttled' | 'internal';

/**
 * The `type` of a problem: the path of the page about it, at the host of the request. RFC 9457
 * resolves it against the request's address, so it begins with the path that the API is served at,
 * `base`. The gateway's own problems have the base of the stage's domain, if it has one, also at the
 * default name of the API.
 */
export const problemType = (kind: ProblemKind, base = ''): string => `${base}/problems/${kind}`;

export interface GatewayProblem {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const INTERNAL = {
  kind: 'internal',
  status: 500,
  detail: 'Something went wrong on our side.',
} as const;

/** The problems that API Gateway answers with itself, without calling a function. */
export const GATEWAY_PROBLEMS = {
  unauthorized: {
    kind: 'unauthorized',
    status: 401,
    detail: 'A valid access token is needed: Authorization: Bearer <token>.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  forbidden: {
    kind: 'forbidden',
    status: 403,
    detail: 'The access token does not allow this.',
  },
  notFound: {
    kind: 'not-found',
    status: 404,
    detail: 'There is nothing at this address for this method.',
  },
  badRequest: {
    kind: 'bad-request',
    status: 400,
    detail: 'The request could not be understood.',
  },
  tooLarge: {
    kind: 'payload-too-large',
    status: 413,
    detail: 'The body is larger than this API accepts.',
  },
  unsupportedMediaType: {
    kind: 'unsupported-media-type',
    status: 415,
    detail: 'The Content-Type of the body is not one this API reads.',
  },
  throttled: {
    kind: 'throttled',
    status: 429,
    detail: 'Requests come faster than allowed. Try again later.',
    headers: { 'Retry-After': '60' },
  },
  internal: INTERNAL,
  timeout: { ...INTERNAL, status: 504, detail: 'The answer took too long.' },
} as const satisfies Record<string, GatewayProblem>;

/**
 * Headers of every answer, those of the gateway included: a browser takes an answer for nothing but
 * its Content-Type, and calls the API over HTTPS only, for a year. Subdomains are left out, because
 * a domain that is put in front of the API may have others below it.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
} as const;
