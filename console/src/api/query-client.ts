import { QueryClient } from '@tanstack/react-query';
import { isWorthRetrying, retryDelayMs } from './retry-policy.ts';

/** Reads are repeated when a failure may pass, and not while nobody looks at the page. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: isWorthRetrying,
        retryDelay: retryDelayMs,
        staleTime: 10_000,
        refetchIntervalInBackground: false,
        // Whether there is a connection, the calls themselves find out: a service on the same
        // machine answers without any.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
