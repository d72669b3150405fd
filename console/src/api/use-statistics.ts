import { useQuery } from '@tanstack/react-query';
import { useApi } from '../console-context.ts';
import { getStatistics } from './integration-calls.ts';
import { QUERIES } from './query-keys.ts';

/** Ten rows of the list make ten calls a minute of the 1,200 that a token may make. */
const READ_EVERY_MS = 60_000;

/** The attempts of a webhook by hour and day, and how many of its events wait. */
export const useStatistics = (id: string) => {
  const api = useApi();
  return useQuery({
    queryKey: QUERIES.statistics(id),
    queryFn: ({ signal }) => getStatistics(api, id, signal),
    refetchInterval: READ_EVERY_MS,
  });
};
