import { ApiProblem, NoAnswer } from './problem.ts';

/** After 1, 2 and 4 seconds: then the page says that it could not be loaded. */
const MOST_RETRIES = 3;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** A read is tried again when the failure may pass: no answer, a fault of the service, a throttle. */
export const isWorthRetrying = (failures: number, error: unknown): boolean =>
  failures < MOST_RETRIES && mayPass(error);

const mayPass = (error: unknown): boolean => {
  if (error instanceof NoAnswer) return true;
  return error instanceof ApiProblem && (error.status >= 500 || error.status === 429);
};

/** The wait before a read is tried again: what the service asks for, else longer each time. */
export const retryDelayMs = (failures: number, error: unknown): number => {
  if (error instanceof ApiProblem && error.retryAfterMs !== undefined) return error.retryAfterMs;
  return Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
};
