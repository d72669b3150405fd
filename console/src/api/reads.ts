import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useApi } from '../console-context.ts';
import { type ApiClient, everyMember } from './api-client.ts';
import { accountPath, integrationPath, integrationsPath, tokensPath } from './paths.ts';
import type {
  AccessToken,
  Account,
  EventTypeCollection,
  Integration,
  Me,
  Statistics,
  User,
} from './resources.ts';

/** The keys of the reads. A change invalidates the keys of what it changed. */
export const QUERIES = {
  me: ['me'],
  accounts: ['accounts'],
  account: (name: string) => ['accounts', name],
  eventTypes: ['event-types'],
  users: (account: string) => ['users', account],
  accessTokens: (account: string) => ['access-tokens', account],
  integrations: (account: string) => ['integrations', account],
  /** Everything that is read about one webhook. */
  webhook: (id: string) => ['webhook', id],
  integration: (id: string) => ['webhook', id, 'integration'],
  statistics: (id: string) => ['webhook', id, 'statistics'],
} as const;

type ReadOptions<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>;

export const useRead = <Data>(
  queryKey: QueryKey,
  read: (api: ApiClient, signal: AbortSignal) => Promise<Data>,
  options: ReadOptions<Data> = {},
) => {
  const api = useApi();
  return useQuery({ queryKey, queryFn: ({ signal }) => read(api, signal), ...options });
};

/** The user who is signed in. */
export const useMe = () =>
  useRead(QUERIES.me, (api, signal) => api.get<Me>('/me', { signal }), { staleTime: 60_000 });

/** The name of the account in the page's address. */
export const useAccountName = (): string => useParams({ strict: false }).account ?? '';

export const useAccount = () => {
  const name = useAccountName();
  return useRead(
    QUERIES.account(name),
    (api, signal) => api.get<Account>(accountPath(name), { signal }),
    { staleTime: 60_000 },
  );
};

/** All accounts of the user's organisation. */
export const useAccounts = () =>
  useRead(QUERIES.accounts, (api, signal) => everyMember<Account>(api, '/accounts', signal));

export const useUsers = () => {
  const account = useAccountName();
  return useRead(QUERIES.users(account), (api, signal) =>
    everyMember<User>(api, `${accountPath(account)}/users`, signal),
  );
};

export const useAccessTokens = () => {
  const account = useAccountName();
  return useRead(QUERIES.accessTokens(account), (api, signal) =>
    everyMember<AccessToken>(api, tokensPath(account), signal),
  );
};

/** All event types. They change only with a release of the service. */
export const useEventTypes = () =>
  useRead(
    QUERIES.eventTypes,
    async (api, signal) => (await api.get<EventTypeCollection>('/event-types', { signal })).member,
    { staleTime: Number.POSITIVE_INFINITY },
  );

const LIST_EVERY_MS = 10_000;
const STATISTICS_EVERY_MS = 60_000;

export const useIntegrations = () => {
  const account = useAccountName();
  return useRead(
    QUERIES.integrations(account),
    (api, signal) => everyMember<Integration>(api, integrationsPath(account), signal),
    { refetchInterval: LIST_EVERY_MS },
  );
};

/** The attempts of a webhook by hour and day, and how many of its events are pending. */
export const useStatistics = (
  id: string,
  { version = [], ...options }: ReadOptions<Statistics> & { version?: QueryKey } = {},
) =>
  useRead(
    [...QUERIES.statistics(id), ...version],
    (api, signal) => api.get<Statistics>(`${integrationPath(id)}/statistics`, { signal }),
    { refetchInterval: STATISTICS_EVERY_MS, ...options },
  );
