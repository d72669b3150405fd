import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useApi } from '../console-context.ts';
import { getAccount } from './directory-calls.ts';
import { QUERIES } from './query-keys.ts';

/** The name of the account whose page this is. */
export const useAccountName = (): string => useParams({ strict: false }).account ?? '';

/** The account whose page this is. */
export const useAccount = () => {
  const api = useApi();
  const name = useAccountName();
  return useQuery({
    queryKey: QUERIES.account(name),
    queryFn: ({ signal }) => getAccount(api, name, signal),
    staleTime: 60_000,
  });
};
