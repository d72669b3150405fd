import type { Problem } from './resources.ts';

/** The last segment of a problem's `type`. */
const KIND = /\/problems\/([a-z-]+)$/;

/** The problem document of a failed call. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** Such as `validation`; `unknown` if the response has no problem document. */
  readonly kind: string;
  /** Names the request to an operator. */
  readonly instance: string | undefined;
  readonly errors: NonNullable<Problem['errors']>;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, problem: Partial<Problem>, retryAfterMs?: number) {
    super(problem.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.kind = KIND.exec(problem.type ?? '')?.[1] ?? 'unknown';
    this.instance = problem.instance;
    this.errors = problem.errors ?? [];
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the call failed because what it names does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status === 404;

/** There was no response: the network is down, or the service cannot be reached. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Reads the problem document of a response. */
export const problemOf = async (answer: Response): Promise<ApiProblem> => {
  const document = (await answer.json().catch(() => null)) as Partial<Problem> | null;
  const retryAfter = retryAfterMs(answer.headers.get('retry-after'));
  return new ApiProblem(answer.status, document ?? {}, retryAfter);
};

const retryAfterMs = (seconds: string | null): number | undefined =>
  seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
