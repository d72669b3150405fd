import { Button } from '@cloudscape-design/components';
import { useEffect, useMemo, useRef, useState } from 'react';
import { IN_WORDS } from '../../api/resources.ts';
import { useConsole } from '../../console-context.ts';
import { Empty } from '../../shared/empty.tsx';
import { WhatIsFound } from '../../shared/id-search.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { MissingDeliveryCauses } from '../../shared/missing-delivery-causes.tsx';
import { useSignal } from '../../shared/signal.ts';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { useShownWebhook } from './shown-webhook.ts';
import { useWebhookSearch } from './use-webhook-search.ts';
import { useLiveDeliveries } from './webhook-queries.ts';
import { filtersOf, isFiltered, NO_FILTERS } from './webhook-search.ts';

export const DeliveriesTab = () => {
  const { id, integration } = useShownWebhook();
  const [search, change] = useWebhookSearch();
  const filters = filtersOf(search);
  const { type, until } = filters;
  const causes = <MissingDeliveryCauses integrations={[integration]} {...{ type, until }} />;
  const { query, loadMore } = useLiveDeliveries(id, filters);
  const rows = query.data?.rows;
  const ids = useMemo(() => rows?.map((row) => row.id), [rows]);
  const newIds = useNewIds(JSON.stringify([id, filters]), ids);
  return (
    <section className="tab" aria-label="Deliveries">
      <DeliveryFilters />
      <Loaded query={query} what="The deliveries">
        {({ rows: deliveries, next }) => (
          <>
            <Liveness isSearch={filters.about !== undefined} isError={query.isError} />
            <div className="visually-hidden" role="status">
              {newIds.size > 0 && newDeliveries(newIds.size)}
            </div>
            {deliveries.length > 0 ? (
              <DeliveryList label="Deliveries" deliveries={deliveries} newIds={newIds} />
            ) : filters.about !== undefined ? (
              <Empty
                title={
                  next === undefined ? `Nothing found for ${filters.about}` : 'Nothing found so far'
                }
                action={
                  <Button loading={query.isFetching} onClick={() => void query.refetch()}>
                    Search again
                  </Button>
                }
              >
                <WhatIsFound /> The other filters apply too.
                {next === undefined && causes}
              </Empty>
            ) : isFiltered(search) ? (
              <Empty
                title={
                  next === undefined ? 'Nothing matches the filters' : 'Nothing matches so far'
                }
                action={<Button onClick={() => change(NO_FILTERS)}>Clear filters</Button>}
              >
                Choose another outcome, event type or time.
                {filters.outcome === undefined && next === undefined && causes}
              </Empty>
            ) : (
              <Empty title="No deliveries yet">
                Events appear here as they happen. Send a test to see your endpoint answer now.
                {causes}
              </Empty>
            )}
            {next !== undefined && (
              <div className="more">
                <Button loading={loadMore.isPending} onClick={() => loadMore.mutate()}>
                  {deliveries.length > 0 ? 'Load more' : 'Search further back'}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};

const Liveness = ({ isSearch, isError }: { isSearch: boolean; isError: boolean }) => {
  const isCutOff = useSignal(useConsole().isCutOff);
  const kept = `Kept for ${IN_WORDS.logRetention}.`;
  if (isSearch) return <p className="live quiet">Found by id, newest first. {kept}</p>;
  const words = isError ? 'Not live: reading fails.' : 'Live, newest first.';
  return (
    <p className="live quiet">
      <span className={isError || isCutOff ? 'live-dot is-still' : 'live-dot'} aria-hidden="true" />
      {isCutOff ? 'Paused: the service cannot be reached.' : words} {kept}
    </p>
  );
};

const newDeliveries = (count: number): string =>
  count === 1 ? '1 new delivery' : `${count} new deliveries`;

const SHOWN_AS_NEW_MS = 4_000;

/**
 * The ids that were added since the list was first shown, for as long as their rows are marked as
 * new. Another value of `list` means another list.
 */
const useNewIds = (list: string, ids: readonly string[] | undefined): ReadonlySet<string> => {
  const known = useRef<{ list: string; ids: ReadonlySet<string> }>(undefined);
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (ids === undefined) return;
    const before = known.current?.list === list ? known.current.ids : undefined;
    known.current = { list, ids: new Set([...(before ?? []), ...ids]) };
    if (before === undefined) return;
    // Rows below the first known one are older: they were loaded by the user.
    const firstKnown = ids.findIndex((id) => before.has(id));
    const added = firstKnown < 0 ? ids : ids.slice(0, firstKnown);
    if (added.length > 0) setNewIds(new Set(added));
  }, [list, ids]);
  useEffect(() => {
    if (newIds.size === 0) return;
    const timer = setTimeout(() => setNewIds(new Set()), SHOWN_AS_NEW_MS);
    return () => clearTimeout(timer);
  }, [newIds]);
  return newIds;
};
