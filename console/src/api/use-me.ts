import { useQuery } from '@tanstack/react-query';
import { useApi } from '../console-context.ts';
import { getMe } from './directory-calls.ts';
import { QUERIES } from './query-keys.ts';

/** Who is signed in, and with which role. */
export const useMe = () => {
  const api = useApi();
  return useQuery({
    queryKey: QUERIES.me,
    queryFn: ({ signal }) => getMe(api, signal),
    staleTime: 60_000,
  });
};
