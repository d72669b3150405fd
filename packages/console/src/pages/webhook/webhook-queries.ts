import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiClient, type Call, cursorIn, type Tagged } from '../../api/api-client.ts';
import { deliveryPath, integrationPath, searchPath } from '../../api/paths.ts';
import { deliveriesEveryMs, READ_EVERY_MS, type ReadDeliveries } from '../../api/read-intervals.ts';
import { QUERIES, useAccountName, useRead, useStatistics } from '../../api/reads.ts';
import type {
  Collection,
  Delivery,
  DeliveryDetails,
  Integration,
  Status,
} from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { nextOf } from '../../shared/outcome.ts';
import { type LiveRows, withFirstPage, withOlderPage } from './live-rows.ts';
import { deliveriesQuery, type Filters, isFiltered } from './webhook-search.ts';

interface ReadState {
  readonly state: { readonly fetchFailureCount: number; readonly status: string };
}

const whileItWorks =
  (everyMs: number) =>
  ({ state }: ReadState): number =>
    state.status === 'error' || state.fetchFailureCount > 0
      ? Math.max(READ_EVERY_MS.failing, everyMs)
      : everyMs;

/** A webhook. The list of webhooks, which the navigation counts, is read again if it differs. */
export const useWebhook = (account: string, id: string) => {
  const queries = useQueryClient();
  return useRead(
    QUERIES.integration(id),
    async (api, signal) => {
      const read = await api.request<Integration>('GET', integrationPath(id), { signal });
      const queryKey = QUERIES.integrations(account);
      const webhooks = queries.getQueryData<readonly Integration[]>(queryKey) ?? [];
      const listed = webhooks.find((webhook) => webhook.id === read.body.id);
      if (listed && listed.status !== read.body.status) {
        void queries.invalidateQueries({ queryKey });
      }
      return read;
    },
    { refetchInterval: whileItWorks(READ_EVERY_MS.quiet) },
  );
};

/** The statistics, which are read again as soon as the status of the webhook changes. */
export const useLiveStatistics = (id: string, status: Status) => {
  const isInTrouble = status === 'failed' || status === 'busy';
  return useStatistics(id, {
    version: [status],
    placeholderData: (former) => former,
    refetchInterval: whileItWorks(
      // The number of pending events changes while the webhook is in trouble.
      isInTrouble ? READ_EVERY_MS.quiet : READ_EVERY_MS.statistics,
    ),
  });
};

type LiveDeliveries = LiveRows<Delivery> & ReadDeliveries;

const listDeliveries = (api: ApiClient, id: string, call: Call) =>
  api.get<Collection<Delivery>>(`${integrationPath(id)}/deliveries`, call);

const PAGE = 30;

/** Pages without an attempt to read before the user is asked whether to search further. */
const EMPTY_PAGES = 8;

const isAttempted = ({ latestAttempt }: Delivery): boolean => latestAttempt !== undefined;

type PageAt = (cursor: string | undefined, signal?: AbortSignal) => Promise<Collection<Delivery>>;

/** Reads a page of the deliveries that are filtered or searched for. */
const usePageAt = (id: string, filters: Filters): PageAt => {
  const api = useApi();
  const account = useAccountName();
  return (cursor, signal) => {
    const query = { ...deliveriesQuery(filters, new Date()), limit: PAGE, cursor };
    if (filters.about === undefined) return listDeliveries(api, id, { query, signal });
    return api.get<Collection<Delivery>>(searchPath(account), {
      query: { ...query, integration: id },
      signal,
    });
  };
};

/** Loads further pages until one has an attempt. Deliveries that wait are shown as one row. */
const withMore = async (rows: LiveRows<Delivery>, pageAt: PageAt): Promise<LiveRows<Delivery>> => {
  let loaded = rows;
  for (let pages = 0; pages < EMPTY_PAGES && loaded.next !== undefined; pages += 1) {
    loaded = withOlderPage(loaded, await pageAt(cursorIn(loaded.next)));
    if (loaded.rows.slice(rows.rows.length).some(isAttempted)) break;
  }
  return loaded;
};

/** Whether the newest delivery suggests that an active webhook is so no longer. */
const tellsOfTrouble = (newest: Delivery | undefined, known: LiveDeliveries): boolean =>
  newest?.outcome === 'fatal' &&
  newest.latestAttempt?.trigger !== 'test' &&
  known.rows.every((row) => row.id !== newest.id || row.outcome !== newest.outcome);

/** The deliveries of a webhook, newest first, kept up to date unless they are searched for. */
export const useLiveDeliveries = (id: string, filters: Filters) => {
  const pageAt = usePageAt(id, filters);
  const queries = useQueryClient();
  const queryKey = [...QUERIES.webhook(id), 'deliveries', filters];
  const known = (): LiveDeliveries =>
    queries.getQueryData<LiveDeliveries>(queryKey) ?? { rows: [] };
  const readAgainIfInTrouble = (newest: Delivery | undefined): void => {
    const read = queries.getQueryData<Tagged<Integration>>(QUERIES.integration(id));
    if (read?.body.status === 'active' && tellsOfTrouble(newest, known())) {
      void queries.invalidateQueries({ queryKey: QUERIES.integration(id) });
    }
  };

  const query = useRead(
    queryKey,
    async (_api, signal) => {
      const page = await pageAt(undefined, signal);
      const isFirst = queries.getQueryData(queryKey) === undefined;
      readAgainIfInTrouble(page.member[0]);
      const before = known();
      const rows = withFirstPage(before, page);
      const isSame = hashKey(before.rows) === hashKey(rows.rows);
      const changedAtMs = isSame && !isFirst ? before.changedAtMs : Date.now();
      const read = isFirst && !rows.rows.some(isAttempted) ? await withMore(rows, pageAt) : rows;
      return { ...read, changedAtMs };
    },
    {
      refetchInterval: (read) => {
        // A search costs much more than a filter, and that more than the newest page.
        if (filters.about !== undefined) return false;
        const everyMs = isFiltered(filters)
          ? READ_EVERY_MS.quiet
          : deliveriesEveryMs(read.state.data ?? { rows: [] }, new Date());
        return whileItWorks(everyMs)(read);
      },
    },
  );
  const loadMore = useMutation({
    mutationFn: async () => {
      const before = known();
      const after = await withMore(before, pageAt);
      const added = { member: after.rows.slice(before.rows.length), view: { next: after.next } };
      const { changedAtMs } = known();
      queries.setQueryData(queryKey, { ...withOlderPage(known(), added), changedAtMs });
    },
  });
  return { query, loadMore };
};

/** One delivery with its attempts, which is read again until nothing more happens to it. */
export const useDelivery = (id: string, event: string, awaitedAttempt: number) =>
  useRead(
    [...QUERIES.webhook(id), 'delivery', event],
    (api, signal) => api.get<DeliveryDetails>(deliveryPath(id, event), { signal }),
    {
      refetchInterval: ({ state: { data: details } }) => {
        if (details === undefined) return false;
        if ((details.attempts.at(-1)?.number ?? 0) < awaitedAttempt) return READ_EVERY_MS.changing;
        const now = new Date();
        if (nextOf(details, {}, now) === undefined) return false;
        return deliveriesEveryMs(
          { rows: [{ ...details, latestAttempt: details.attempts.at(-1) }] },
          now,
        );
      },
    },
  );

export type KeptState = 'pending' | 'set-aside';

/** The oldest deliveries that are pending or set aside, and the total. */
export const useKeptEvents = (id: string, state: KeptState, limit: number) =>
  useRead(
    [...QUERIES.webhook(id), 'kept', state, limit],
    (api, signal) =>
      api.get<Collection<Delivery>>(`${integrationPath(id)}/pending-events`, {
        query: { state, limit, count: 'true' },
        signal,
      }),
    { refetchInterval: whileItWorks(READ_EVERY_MS.quiet), placeholderData: (former) => former },
  );

/** The latest attempt of a busy webhook with a temporary error, which shows the reason. */
export const useLatestTransient = (id: string, isBusy: boolean) =>
  useRead(
    [...QUERIES.webhook(id), 'latest-transient'],
    async (api, signal) => {
      const query = { outcome: 'transient', limit: 1 };
      const page = await listDeliveries(api, id, { query, signal });
      return page.member[0]?.latestAttempt ?? null;
    },
    { enabled: isBusy, refetchInterval: READ_EVERY_MS.statistics },
  );
