import { useQuery } from '@tanstack/react-query';
import { useApi } from '../console-context.ts';
import { listEventTypes } from './directory-calls.ts';
import { QUERIES } from './query-keys.ts';

/** The event types there are; they change with the service alone. */
export const useEventTypes = () => {
  const api = useApi();
  return useQuery({
    queryKey: QUERIES.eventTypes,
    queryFn: ({ signal }) => listEventTypes(api, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
};
