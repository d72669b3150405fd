import {
  type QueryKey,
  type UseQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useApi } from '../console-context.ts';
import { type ApiClient, cursorIn, everyMember } from './api-client.ts';
import { createLimiter } from './limiter.ts';
import {
  accountPath,
  changesPath,
  integrationPath,
  integrationsPath,
  searchPath,
  tokensPath,
} from './paths.ts';
import { READ_EVERY_MS } from './read-intervals.ts';
import type {
  AccessToken,
  Account,
  Change,
  Collection,
  Delivery,
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
  changes: (account: string, filter: object) => ['changes', account, filter],
  found: (account: string, about: string) => ['found', account, about],
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

export const useIntegrations = () => useIntegrationsOf(useAccountName(), READ_EVERY_MS.quiet);

/** Read once a minute unless told otherwise, and not again by every page that shows it. */
export const useIntegrationsOf = (account = '', everyMs = 60_000) =>
  useRead(
    QUERIES.integrations(account),
    (api, signal) => everyMember<Integration>(api, integrationsPath(account), signal),
    { enabled: account !== '', refetchInterval: everyMs, staleTime: everyMs },
  );

/** A list reads them of each row: not at once, for the method's limit is shared by all customers. */
const inTurn = createLimiter(4);

/** The attempts of a webhook by hour and day, and how many of its events are pending. */
export const useStatistics = (
  id: string,
  { version = [], ...options }: ReadOptions<Statistics> & { version?: QueryKey } = {},
) =>
  useRead(
    [...QUERIES.statistics(id), ...version],
    (api, signal) =>
      inTurn(() => api.get<Statistics>(`${integrationPath(id)}/statistics`, { signal })),
    { refetchInterval: READ_EVERY_MS.statistics, ...options },
  );

const PAGE = 30;

/** The changes that match a filter, newest first, as far as they are loaded. */
export const useChanges = (filter: {
  integration?: string | undefined;
  kind?: string | undefined;
}) => {
  const account = useAccountName();
  const of = { queryKey: QUERIES.changes(account, filter), path: changesPath(account), filter };
  return usePages<Change>({ ...of, refetchInterval: READ_EVERY_MS.quiet });
};

/** What became of an event, message, contact or call, at all webhooks of the account. */
export const useFoundDeliveries = (about: string) => {
  const account = useAccountName();
  const of = { queryKey: QUERIES.found(account, about), path: searchPath(account) };
  // A search costs much more than other reads.
  return usePages<Delivery>({ ...of, filter: { about }, refetchInterval: false });
};

const FIRST_PAGE = '';

/** The members of a collection, newest first, as far as they are loaded. */
const usePages = <Member>({
  queryKey,
  path,
  filter,
  refetchInterval,
}: {
  queryKey: QueryKey;
  path: string;
  filter: Readonly<Record<string, string | undefined>>;
  refetchInterval: number | false;
}) => {
  const api = useApi();
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === FIRST_PAGE ? undefined : pageParam;
      return api.get<Collection<Member>>(path, {
        query: { ...filter, limit: PAGE, cursor },
        signal,
      });
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ view }) => (view.next === undefined ? undefined : cursorIn(view.next)),
    select: ({ pages }) => pages.flatMap(({ member }) => member),
    refetchInterval,
  });
};
