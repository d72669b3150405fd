import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tagged } from '../../api/api-client.ts';
import { getDelivery, listDeliveries, listPendingEvents } from '../../api/delivery-calls.ts';
import { cursorIn } from '../../api/every-member.ts';
import { getIntegration, getStatistics } from '../../api/integration-calls.ts';
import { QUERIES } from '../../api/query-keys.ts';
import type { Delivery, Integration, Status } from '../../api/resources.ts';
import { useApi } from '../../console-context.ts';
import { type LiveRows, withFirstPage, withOlderPage } from './live-rows.ts';
import { nextOf } from './outcome.ts';
import { deliveriesQuery, type WebhookSearch } from './webhook-search.ts';

/**
 * How often the page reads. Together below 60 calls a minute: 20 tabs stay within the 1,200 that a
 * token may make. A page that is hidden reads nothing.
 */
const EVERY_MS = {
  deliveries: 1_600,
  delivery: 6_000,
  integration: 10_000,
  /** What waits changes while the webhook is in trouble. */
  waiting: 10_000,
  rest: 60_000,
} as const;

/** While reads fail, there are fewer of them. */
const SLOWED_MS = 10_000;

const whileItWorks =
  (everyMs: number) =>
  ({ state }: { state: { fetchFailureCount: number; status: string } }): number =>
    state.status === 'error' || state.fetchFailureCount > 0 ? SLOWED_MS : everyMs;

export const useWebhook = (id: string) => {
  const api = useApi();
  return useQuery({
    queryKey: QUERIES.integration(id),
    queryFn: ({ signal }) => getIntegration(api, id, signal),
    refetchInterval: whileItWorks(EVERY_MS.integration),
  });
};

/** Read anew as soon as the status of the webhook is another one. */
export const useStatistics = (id: string, status: Status) => {
  const api = useApi();
  const isInTrouble = status === 'failed' || status === 'busy';
  return useQuery({
    queryKey: [...QUERIES.statistics(id), status],
    queryFn: ({ signal }) => getStatistics(api, id, signal),
    placeholderData: (former) => former,
    refetchInterval: whileItWorks(isInTrouble ? EVERY_MS.waiting : EVERY_MS.rest),
  });
};

const PAGE = 30;

/** Pages that a filter may leave empty before the reader is asked whether to search further. */
const EMPTY_PAGES = 8;

type Filters = Pick<WebhookSearch, 'outcome' | 'type' | 'within' | 'since' | 'until'>;

/** The deliveries of a webhook, newest first, as they come. */
export const useLiveDeliveries = (id: string, filters: Filters) => {
  const api = useApi();
  const queries = useQueryClient();
  const { outcome, type, within, since, until } = filters;
  const queryKey = [...QUERIES.webhook(id), 'deliveries', outcome, type, within, since, until];
  const known = (): LiveRows<Delivery> =>
    queries.getQueryData<LiveRows<Delivery>>(queryKey) ?? { rows: [] };
  const pageAt = (cursor: string | undefined, signal?: AbortSignal) =>
    listDeliveries(
      api,
      id,
      { ...deliveriesQuery(filters, new Date()), limit: PAGE, cursor },
      signal,
    );

  /** Whether the status of the webhook is likely to be another one than was read last. */
  const tellsOfTrouble = (newest: Delivery | undefined): boolean => {
    const read = queries.getQueryData<Tagged<Integration>>(QUERIES.integration(id));
    return (
      read?.body.status === 'active' &&
      newest?.outcome === 'fatal' &&
      newest.latestAttempt?.trigger !== 'test' &&
      known().rows.every((row) => row.id !== newest.id || row.outcome !== newest.outcome)
    );
  };

  /** Loads further pages until one has a row. */
  const withMore = async (rows: LiveRows<Delivery>): Promise<LiveRows<Delivery>> => {
    let loaded = rows;
    for (let pages = 0; pages < EMPTY_PAGES && loaded.next !== undefined; pages += 1) {
      loaded = withOlderPage(loaded, await pageAt(cursorIn(loaded.next)));
      if (loaded.rows.length > rows.rows.length) break;
    }
    return loaded;
  };

  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const page = await pageAt(undefined, signal);
      const isFirst = queries.getQueryData(queryKey) === undefined;
      if (tellsOfTrouble(page.member[0])) {
        void queries.invalidateQueries({ queryKey: QUERIES.integration(id) });
      }
      const rows = withFirstPage(known(), page);
      return isFirst && rows.rows.length === 0 ? withMore(rows) : rows;
    },
    refetchInterval: whileItWorks(EVERY_MS.deliveries),
  });

  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const loadMore = async (): Promise<void> => {
    setIsLoadingMore(true);
    try {
      const before = known();
      const after = await withMore(before);
      const added = { member: after.rows.slice(before.rows.length), view: { next: after.next } };
      queries.setQueryData(queryKey, withOlderPage(known(), added));
    } finally {
      setIsLoadingMore(false);
    }
  };
  return { query, loadMore, isLoadingMore };
};

/** One delivery with its attempts; read again while something is still to happen to it. */
export const useDelivery = (id: string, event: string, awaitedAttempt = 0) => {
  const api = useApi();
  return useQuery({
    queryKey: [...QUERIES.webhook(id), 'delivery', event],
    queryFn: ({ signal }) => getDelivery(api, id, event, signal),
    refetchInterval: (query) => {
      const details = query.state.data;
      if (details === undefined) return false;
      if ((details.attempts.at(-1)?.number ?? 0) < awaitedAttempt) return EVERY_MS.deliveries;
      return nextOf(details, {}, new Date()) === undefined ? false : EVERY_MS.delivery;
    },
  });
};

export type KeptState = 'pending' | 'set-aside';

/** The first deliveries that wait, or are set aside, oldest first, and how many there are. */
export const useKeptEvents = (id: string, state: KeptState, limit: number) => {
  const api = useApi();
  return useQuery({
    queryKey: [...QUERIES.webhook(id), 'kept', state, limit],
    queryFn: ({ signal }) => listPendingEvents(api, id, { state, limit }, signal),
    refetchInterval: whileItWorks(EVERY_MS.integration),
    placeholderData: (former) => former,
  });
};

/** The latest delivery of a busy webhook that got no answer: it says why. */
export const useLatestUnanswered = (id: string, isBusy: boolean) => {
  const api = useApi();
  return useQuery({
    queryKey: [...QUERIES.webhook(id), 'latest-unanswered'],
    queryFn: async ({ signal }) =>
      (await listDeliveries(api, id, { outcome: 'transient', limit: 1 }, signal)).member[0]
        ?.latestAttempt ?? null,
    enabled: isBusy,
    refetchInterval: EVERY_MS.rest,
  });
};
