import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed } from './failed.tsx';
import { LoadingLines } from './loading-lines.tsx';

/** Shows what a query read; until then that it is being read, or why it could not be. */
export const Loaded = <Data,>({
  query,
  what,
  children,
}: {
  query: UseQueryResult<Data>;
  /** In the words of the sentence "… could not be read". */
  what: string;
  children: (data: Data) => ReactNode;
}) => {
  // What was read stays on the page while a later read fails: the banner tells why.
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) {
    return <Failed error={query.error} what={what} onRetry={() => void query.refetch()} />;
  }
  return <LoadingLines />;
};
