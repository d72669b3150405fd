import { QueryClient } from '@tanstack/react-query';
import { ApiProblem, NoAnswer } from './problem.ts';

const MOST_RETRIES = 3;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** Reads are retried if the failure may be temporary, and are not repeated on a hidden page. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: isWorthRetrying,
        retryDelay: retryDelayMs,
        staleTime: 10_000,
        refetchIntervalInBackground: false,
        // The browser's online state does not matter: a service on the same machine answers
        // without a network.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });

export const isWorthRetrying = (failures: number, error: unknown): boolean => {
  const isTemporary = error instanceof ApiProblem && (error.status >= 500 || error.status === 429);
  return failures < MOST_RETRIES && (isTemporary || error instanceof NoAnswer);
};

/** The delay before a retry: `Retry-After` if the service sent it, otherwise exponential. */
export const retryDelayMs = (failures: number, error: unknown): number => {
  if (error instanceof ApiProblem && error.retryAfterMs !== undefined) return error.retryAfterMs;
  return Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
};
