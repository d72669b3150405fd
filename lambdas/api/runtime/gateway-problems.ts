import { PROBLEMS, type ProblemKind } from './problems.ts';

export interface GatewayProblem {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `detail`: what the gateway knows, where that is less than a function does. */
const ofKind = (kind: ProblemKind, detail = PROBLEMS[kind].detail): GatewayProblem => {
  const { status, headers } = PROBLEMS[kind];
  return { kind, status, detail, ...(headers && { headers }) };
};

/** The problems that API Gateway answers with itself, without calling a function. */
export const GATEWAY_PROBLEMS = {
  unauthorized: ofKind('unauthorized'),
  notFound: ofKind('not-found', 'There is nothing at this address for this method.'),
  badRequest: ofKind('bad-request'),
  tooLarge: ofKind('payload-too-large', 'The request body is too large.'),
  unsupportedMediaType: ofKind('unsupported-media-type', 'This Content-Type is not supported.'),
  throttled: ofKind('throttled'),
  internal: ofKind('internal'),
  timeout: { ...ofKind('internal', 'The answer took too long.'), status: 504 },
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
